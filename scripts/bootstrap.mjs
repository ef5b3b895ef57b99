// Installs and builds this repository with nothing but node, npm and git at hand; `npm run demo` and `npm test` call
// it first. It writes to stderr only, because the command that follows owns stdout, and it says nothing when there
// is nothing to do.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.bootstrap')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** @param {string} line */
const say = (line) => process.stderr.write(`${line}\n`)

/** The environment of every child. turbo looks for a `pnpm` program in PATH, so the local one goes first. */
function childEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
  // On Windows the variable may be spelled `Path`; a second spelling would hide the first.
  const pathName = Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  Object.assign(environment, {
    [pathName]: join(modules, '.bin') + delimiter + (environment[pathName] ?? ''),
  })
  // An outer `npx -p … -c …` leaks these two, and npx below would then refuse its own arguments.
  delete environment.npm_config_call
  delete environment.npm_config_package
  return environment
}

/**
 * Runs a child to its end, and ends this process with the child's exit code when it fails.
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {{ cwd: string, onLine?: (line: string) => void, onFailure?: () => void }} options
 * @returns {Promise<void>}
 */
function run(command, commandArguments, { cwd, onLine, onFailure }) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, {
      cwd,
      env: childEnvironment(),
      stdio: ['ignore', onLine ? 'pipe' : 2, onLine ? 'pipe' : 2],
      shell: process.platform === 'win32', // there npx is a .cmd file, which only a shell can start
    })
    if (onLine) {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream) createInterface({ input: stream }).on('line', onLine)
      }
    }
    child.on('error', (error) => {
      say(`${command} was not started: ${error.message}`)
      process.exit(1)
    })
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      onFailure?.()
      say(`${command} ${commandArguments.join(' ')} ended with ${signal ?? `exit code ${code}`}.`)
      process.exit(signal === 'SIGINT' ? 130 : (code ?? 1))
    })
  })
}

function requireNode() {
  const wanted = String(manifest.engines.node).replace('>=', '')
  const [major = 0, minor = 0] = wanted.split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  say(`Node ${process.versions.node} is too old: this repository needs Node ${wanted} or newer.`)
  process.exit(1)
}

/** Installs when the lock file or the workspace settings differ from those of the last finished install. */
async function install() {
  const hash = createHash('sha256')
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)))
  const wanted = hash.digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const pnpm = String(manifest.packageManager).split('+')[0] ?? 'pnpm'
  say(`Installing the dependencies with ${pnpm} (about half a minute the first time) …`)
  // Not from inside the repository: there npx would run the pnpm of node_modules, which then deletes itself when
  // it has to replace that folder.
  const folder = process.platform === 'win32' ? `"${root}"` : root
  await run('npx', ['--yes', pnpm, '--dir', folder, 'install', '--frozen-lockfile'], { cwd: tmpdir() })
  writeFileSync(stampFile, wanted)
}

/** Builds what changed. turbo decides that from its cache, faster than a second stamp could be trusted. */
async function build() {
  const started = Date.now()
  /** @type {string[]} */
  const log = []
  let built = 0
  /** @param {string} line */
  const onLine = (line) => {
    log.push(line)
    const task = /^(\S+):build: cache miss, executing/.exec(line)
    if (!task) return
    if (built === 0) say('Building the packages that changed …')
    built += 1
    say(`  ${task[1]}`)
  }
  // turbo's launcher directly, not `pnpm exec turbo`: pnpm exec puts a relative ./node_modules/.bin into PATH, and
  // turbo then starts pnpm by that path from a package's folder, where it does not exist.
  const launcher = join(modules, 'turbo', 'bin', 'turbo')
  const command = process.platform === 'win32' ? `"${process.execPath}"` : process.execPath
  const script = process.platform === 'win32' ? `"${launcher}"` : launcher
  await run(command, [script, 'run', 'build', '--output-logs=new-only', '--ui=stream'], {
    cwd: root,
    onLine,
    onFailure: () => say(log.join('\n')),
  })
  if (built > 0)
    say(`Built ${built} package${built === 1 ? '' : 's'} in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
}

requireNode()
await install()
await build()
