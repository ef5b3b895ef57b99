// The main job in one command: finds a model (or fetches one), runs the four stages of examples/course-research in a
// fresh copy, and says where the draft is. `npm run demo -- --help` lists the options.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findModel, isLlamaInstalled, modelCacheFolder, readConfiguration, runCli } from '@icm/cli'
import { ensureModel } from './model/find-model.mjs'
import { models } from './model/models.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const example = join(root, 'examples', 'course-research')
const cassette = join(root, 'scripts', 'demo', 'course-research.cassette.json')
const defaultModel = 'qwen2.5-coder:1.5b'
const replayDelayMs = 15

const help = `npm run demo [-- options]

Runs examples/course-research on a real model: one sentence becomes a drafted mini-course.

  --model <name>      model on Ollama, or one of: ${Object.keys(models).join(', ')} (fetched when missing)
  --provider <name>   auto (default), ollama, or llama (the embedded engine)
  --yes               do not ask before a download
  --replay            replay the recorded run instead of running a model
  --record            record this run as the one that --replay shows
  --help              this text
`

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`)
const interrupted = new AbortController()
process.on('SIGINT', () => {
  if (interrupted.signal.aborted) process.exit(130)
  interrupted.abort(new DOMException('interrupted by the user', 'AbortError'))
})

process.exitCode = await demo().catch((error) => {
  if (interrupted.signal.aborted) return 130
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})

async function demo() {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      provider: { type: 'string' },
      yes: { type: 'boolean' },
      replay: { type: 'boolean' },
      record: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const started = Date.now()
  const workspace = copyExample()
  say(`workspace: a fresh copy of examples/course-research in ${relative(process.cwd(), workspace)}`)
  const chosen = values.replay ? { replay: 'it was asked for' } : await chooseModel(workspace, values)
  const flags = chosen.replay === undefined ? chosen.flags : replayFlags(chosen.replay)
  // Recorded beside the old one, which is replaced only by a run that has ended well.
  const recorded = `${cassette}.new`
  rmSync(recorded, { force: true })
  const recording = values.record ? ['--record', recorded] : []
  const exitCode = await runCli(['run', '--all', '--workspace', workspace, ...flags, ...recording], {
    env: { ...process.env, ICM_REPLAY_DELAY_MS: String(replayDelayMs) },
    currentFolder: process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interrupted.signal,
  })
  if (exitCode !== 0) return exitCode
  if (values.record) renameSync(recorded, cassette)
  const draft = join(workspace, 'pipeline', '04-draft', 'output', 'draft.md')
  if (!existsSync(draft)) throw new Error(`every stage ended, but ${draft} is not there`)
  say(`\nthe draft, after ${Math.round((Date.now() - started) / 1000)} s: ${relative(process.cwd(), draft)}`)
  say(
    'Read it, edit any output in that folder, or delete one and run its stage again: npx icm run --workspace …',
  )
  if ('replay' in chosen)
    say('This was a REPLAY of a recorded run. With Ollama or a model file the same command runs a model.')
  return 0
}

function copyExample() {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const target = join(root, '.demo', `course-research-${time}`)
  mkdirSync(target, { recursive: true })
  cpSync(example, target, {
    recursive: true,
    // What a run of the example itself has left behind does not belong into a fresh copy.
    filter: (path) =>
      basename(path) !== '.icm' && !/[\\/]output[\\/](?!\.gitkeep$)/.test(path.slice(example.length)),
  })
  return target
}

/**
 * The flags that make `icm run` use the model that was found, or why there is only a replay.
 * @param {string} workspace
 * @param {{ model?: string, provider?: string, yes?: boolean }} wishes
 * @returns {Promise<{ flags: string[], replay?: undefined } | { replay: string }>}
 */
async function chooseModel(workspace, wishes) {
  const configuration = await readConfiguration(workspace)
  const wanted = {
    ...(wishes.model ? { model: wishes.model } : {}),
    ...(wishes.provider ? { provider: wishes.provider } : {}),
  }
  const model = wishes.model ?? defaultModel
  const canFetch = wishes.provider !== 'ollama' && Object.hasOwn(models, model)
  /** @type {string[]} */
  const tried = []
  try {
    const choice = await findModel(configuration, wanted)
    // A file in the cache is checked (size and checksum) before it is used; another model's file is not taken.
    const isCached = choice.provider === 'llama' && choice.path.startsWith(modelCacheFolder())
    if (!isCached || !canFetch) return { flags: flagsOf(choice) }
  } catch (error) {
    if (!isNoModel(error)) throw error
    tried.push(...error.details.tried)
    if (!canFetch) throw error
  }
  if (!isLlamaInstalled()) {
    return replayOnly([...tried, 'the embedded engine: node-llama-cpp is not installed for this platform'])
  }
  const found = await ensureModel({
    model,
    confirm: wishes.yes || !process.stdin.isTTY ? async () => true : confirm,
    signal: interrupted.signal,
  })
  if (found.path === undefined) return replayOnly([...tried, ...found.tried])
  say(`model: ${found.path} (${found.how})`)
  return { flags: ['--provider', 'llama', '--model', found.path] }
}

/** @param {string[]} tried */
function replayOnly(tried) {
  return { replay: `no model was found. Tried, in order:\n  - ${tried.join('\n  - ')}` }
}

/** @param {import('@icm/cli').ModelChoice} choice */
function flagsOf(choice) {
  say(
    `model: ${choice.provider === 'ollama' ? `${choice.name} on Ollama at ${choice.host}` : choice.path} (${choice.why})`,
  )
  return choice.provider === 'ollama'
    ? ['--provider', 'ollama', '--model', choice.name, '--host', choice.host]
    : ['--provider', 'llama', '--model', choice.path]
}

/** @param {string} why */
function replayFlags(why) {
  const line = '='.repeat(78)
  say(
    `${line}\nREPLAY: what follows was recorded from a real run; no model runs now, because\n${why}\n${line}`,
  )
  return ['--replay', cassette]
}

/**
 * @param {unknown} error
 * @returns {error is Error & { code: string, details: { tried: string[] } }}
 */
function isNoModel(error) {
  return error instanceof Error && 'code' in error && error.code === 'cli/no-model'
}

/** @param {string} question */
async function confirm(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // While readline reads, Ctrl-C comes to it and not to the process.
  terminal.on('SIGINT', () => interrupted.abort(new DOMException('interrupted by the user', 'AbortError')))
  const closed = new Promise((done) => terminal.once('close', () => done('n')))
  try {
    const answer = terminal.question(`${question} [Y/n] `, { signal: interrupted.signal })
    return !/^n/i.test(String(await Promise.race([answer, closed])).trim())
  } finally {
    terminal.close()
  }
}
