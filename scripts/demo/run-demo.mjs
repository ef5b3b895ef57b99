import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfiguration, runCli } from '@icm/cli'
import { models } from '../model/models.mjs'
import { chooseDemoModel } from './choose-demo-model.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = join(root, 'examples', 'course-research')
const cassette = join(root, 'scripts', 'demo', 'course-research.cassette.json')
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

/**
 * Runs the demo with the words of its command line; its exit code. Nothing is thrown but a fault of the demo itself.
 * @param {readonly string[]} words
 * @param {import('@icm/cli').CliEnvironment} environment
 * @param {{ known?: import('../model/models.mjs').DemoModels, copies?: string }} [options] the models that can be
 *   fetched, and the folder for the copies of the example
 * @returns {Promise<number>}
 */
export async function runDemo(words, environment, { known = models, copies = join(root, '.demo') } = {}) {
  try {
    return await demo(words, environment, { known, copies })
  } catch (error) {
    if (environment.signal.aborted) return 130
    environment.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

/**
 * @param {readonly string[]} words
 * @param {import('@icm/cli').CliEnvironment} environment
 * @param {{ known: import('../model/models.mjs').DemoModels, copies: string }} options
 */
async function demo(words, environment, { known, copies }) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      model: { type: 'string' },
      provider: { type: 'string' },
      yes: { type: 'boolean' },
      replay: { type: 'boolean' },
      record: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  /** @param {string} line */
  const say = (line) => environment.stdout.write(`${line}\n`)
  if (values.help) {
    environment.stdout.write(help)
    return 0
  }
  const started = Date.now()
  const { currentFolder } = environment
  const workspace = copyExample(copies)
  say(`workspace: a fresh copy of examples/course-research in ${relative(currentFolder, workspace)}`)
  const configuration = await readConfiguration(workspace)
  const chosen = values.replay
    ? { replay: 'it was asked for' }
    : await chooseDemoModel(configuration, values, { environment, known, say })
  if (chosen.replay !== undefined) say(replayBanner(chosen.replay))
  // Recorded beside the old one, which is replaced only by a run that has ended well.
  const recorded = `${cassette}.new`
  rmSync(recorded, { force: true })
  const flags = [
    ...(chosen.replay === undefined ? [] : ['--replay', cassette]),
    ...(values.record ? ['--record', recorded] : []),
  ]
  const exitCode = await runCli(['run', '--all', '--workspace', workspace, ...flags], {
    ...environment,
    env: { ICM_REPLAY_DELAY_MS: String(replayDelayMs), ...environment.env },
    ...(chosen.replay === undefined ? { model: chosen.model } : {}),
  })
  const goOn = `npx icm run --workspace ${relative(currentFolder, workspace)}`
  if (exitCode === 130) say(`npm run demo begins anew; this copy goes on with: ${goOn} --all`)
  if (exitCode !== 0) return exitCode
  if (chosen.replay === undefined) await chosen.model.close()
  if (values.record) renameSync(recorded, cassette)
  const draft = join(workspace, 'pipeline', '04-draft', 'output', 'draft.md')
  if (!existsSync(draft)) throw new Error(`every stage ended, but ${draft} is not there`)
  say(`\nthe draft, after ${Math.round((Date.now() - started) / 1000)} s: ${relative(currentFolder, draft)}`)
  say(`Read it, edit any output in that folder, or delete one and run its stage again: ${goOn}`)
  if (chosen.replay !== undefined)
    say('This was a REPLAY of a recorded run. With Ollama or a model file the same command runs a model.')
  return 0
}

/** @param {string} copies */
function copyExample(copies) {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const target = join(copies, `course-research-${time}`)
  mkdirSync(target, { recursive: true })
  cpSync(example, target, {
    recursive: true,
    // What a run of the example itself has left behind does not belong into a fresh copy.
    filter: (path) =>
      basename(path) !== '.icm' && !/[\\/]output[\\/](?!\.gitkeep$)/.test(path.slice(example.length)),
  })
  return target
}

/** @param {string} why */
function replayBanner(why) {
  const line = '='.repeat(78)
  return `${line}\nREPLAY: what follows was recorded from a real run; no model runs now, because\n${why}\n${line}`
}
