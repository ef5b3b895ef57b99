// Starting what is measured: the fake server, and each peer in a process of its own.
import { execFileSync, fork, spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const root = join(here, '../..')

/** `wire`: what it speaks; `streams`: takes part in the streaming benchmark; `imports`: for the cold one. */
export const peers = [
  { id: 'raw fetch', file: 'raw-fetch', imports: '' },
  { id: 'raw fetch (A/A)', file: 'raw-fetch' },
  { id: 'raw append-only', file: 'raw-append', imports: "import 'node:http'" },
  { id: 'raw fetch stream', file: 'raw-stream', streams: true },
  {
    id: 'icm',
    file: 'icm',
    streams: true,
    imports: `import '${root}/packages/agent-loop/dist/index.js'; import '${root}/packages/chat-model/dist/adapters/ollama.js'`,
  },
  { id: 'ollama 0.6.4', file: 'ollama', streams: true, imports: "import 'ollama'" },
  { id: 'ai 7.0.173', file: 'ai', streams: true, imports: "import 'ai'; import 'ai-sdk-ollama'" },
  {
    id: 'langgraph 1.7.3',
    file: 'langgraph',
    streams: true,
    imports:
      "import '@langchain/langgraph/prebuilt'; import '@langchain/ollama'; import '@langchain/core/tools'",
  },
  {
    id: 'openai-agents 0.20.0',
    file: 'openai-agents',
    streams: true,
    imports: "import '@openai/agents'; import 'openai'",
  },
]

export const peersFolder = join(here, 'peers')
const environment = () => ({ ...process.env, NODE_ENV: 'production', OPENAI_AGENTS_DISABLE_TRACING: '1' })

/** Fewer rounds: for a first look, or a machine that others use. */
export const isQuick = process.env.BENCH_QUICK === '1'

/** Installs the peers on first use (pinned, no install scripts), and builds our packages when a source is newer. */
export function prepare() {
  if (!existsSync(join(peersFolder, 'node_modules/ai'))) {
    console.error('installing the peers …')
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: peersFolder,
      stdio: 'inherit',
    })
  }
  for (const name of ['errors', 'json-schema', 'chat-model', 'agent-loop']) {
    const folder = join(root, 'packages', name)
    const built = join(folder, 'dist/index.js')
    if (existsSync(built) && statSync(built).mtimeMs > newest(join(folder, 'src'))) continue
    console.error(`building ${name} …`)
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

function newest(folder) {
  const files = readdirSync(folder, { recursive: true }).filter(
    (file) => file.endsWith('.ts') && !file.includes('.test.'),
  )
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs))
}

/** Starts the fake server. */
export async function startServer() {
  const child = fork(join(here, 'fake-server.mjs'))
  const [{ base }] = await once(child)
  return { base, stop: () => child.kill() }
}

/** Starts a peer; `run` gives the figures of each run. */
export async function startPeer(peer, base, tools) {
  const child = fork(join(here, 'worker.mjs'), [join(peersFolder, `${peer.file}.mjs`)], {
    env: environment(),
    execArgv: ['--no-warnings'],
  })
  const ask = async (message) => {
    if (message !== undefined) child.send(message)
    const [{ figures, failure }] = await once(child)
    if (failure !== undefined) throw new Error(`${peer.id}: ${failure}`)
    return figures
  }
  await ask()
  await ask({ setup: { base, tools } })
  return { peer, run: (job) => ask({ run: job }), stop: () => child.kill() }
}

function once(child) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`a process ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve([message])
    })
  })
}

/** A whole job in a new process. */
export function runCold(peer, base, calls, tools) {
  const file = join(peersFolder, `${peer.file}.mjs`)
  const given = [
    '--no-warnings',
    join(here, 'worker.mjs'),
    file,
    '--once',
    String(calls),
    String(tools),
    base,
  ]
  const started = performance.now()
  const child = spawn(process.execPath, given, { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      if (code !== 0) return reject(new Error(`${peer.id} ended with ${code}`))
      resolve({ ...JSON.parse(output), wallMs: performance.now() - started })
    })
  })
}

export function median(values) {
  return quantile(values, 0.5)
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
