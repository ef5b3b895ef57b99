// node --expose-gc bench/soak.mjs: 500 runs of 20 turns in one process against a server over HTTP, and 200 aborted
// requests. The resident memory has to be flat, and nothing may be left behind: no socket, no timer, no listener.
// `--runs=100` runs less.
import { getEventListeners } from 'node:events'
import { system, toolResult, tools, user } from './loop/job.mjs'
import { prepare, startServer } from './loop/processes.mjs'

const turns = 20
const most = 1024
const given = process.argv.find((each) => each.startsWith('--runs='))?.slice('--runs='.length)
const runs = Number(given ?? 500)
const aborts = 200

prepare()
const { maxSteps, runAgent } = await import('../packages/agent-loop/dist/index.js')
const { ollama } = await import('../packages/chat-model/dist/adapters/ollama.js')
const server = await startServer()
const specs = tools(40).map(({ name, description, schema }) => ({ name, description, inputSchema: schema }))
const runner = { specs: () => specs, run: async () => ({ status: 'ok', text: toolResult }) }
const messages = [
  { role: 'system', text: system },
  { role: 'user', text: user },
]

function runOf(model, signal) {
  const options = { messages, tools: runner, stopWhen: maxSteps(turns + 5), signal }
  return runAgent({ ...options, model: ollama({ model, host: server.base, contextWindow: 2 ** 20 }) })
}

/** The slope in bytes a turn of a line through the last half of the samples. */
function slopeOf(samples) {
  const half = samples.slice(Math.floor(samples.length / 2))
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [middleTurn, middleBytes] = [mean(half.map(([turn]) => turn)), mean(half.map(([, bytes]) => bytes))]
  const spread = mean(half.map(([turn]) => (turn - middleTurn) ** 2))
  return mean(half.map(([turn, bytes]) => (turn - middleTurn) * (bytes - middleBytes))) / spread
}

function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}

async function soak() {
  const samples = { rss: [], heap: [] }
  // One signal for all runs, as an application has that stops on Ctrl-C: what stays on it would show.
  const { signal } = new AbortController()
  for (let run = 1; run <= runs; run++) {
    const { outcome, steps } = await runOf(`fake-${turns - 1}`, signal)
    if (outcome !== 'answered' || steps.length !== turns)
      throw new Error(`run ${run}: ${outcome}, ${steps.length} turns`)
    if (run % 5 !== 0) continue
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    samples.rss.push([run * turns, rss])
    samples.heap.push([run * turns, heapUsed])
    if (run % Math.ceil(runs / 5 / 5) === 0 || run === runs)
      console.log(`  run ${run}: rss ${megabytes(rss)}, heap ${megabytes(heapUsed)}`)
  }
  return {
    rss: slopeOf(samples.rss),
    heap: slopeOf(samples.heap),
    listeners: getEventListeners(signal, 'abort').length,
  }
}

/** What is open; sockets as the server counts them, because kept ones do not show among the active resources. */
async function resources() {
  const kinds = process.getActiveResourcesInfo()
  const response = await fetch(`${server.base}/connections`, { headers: { connection: 'close' } })
  const { open } = await response.json()
  return { sockets: open - 1, timers: kinds.filter((each) => each === 'Timeout').length }
}

/** Aborts before the first byte, in the middle of a text, and in a tool, by turns. */
async function abortOften() {
  let listeners = 0
  for (let index = 0; index < aborts; index++) {
    const controller = new AbortController()
    const { signal } = controller
    const reason = new Error('enough')
    const stop = () => controller.abort(reason)
    const model = ollama({
      model: index % 3 === 1 ? 'fake-0-c4000' : 'fake-5',
      host: server.base,
      contextWindow: 2 ** 20,
    })
    const running = runAgent({
      model,
      messages,
      signal,
      tools: { ...runner, run: (_, options) => (index % 3 === 2 ? neverEnds(stop) : runner.run(_, options)) },
      onEvent: (event) => {
        if (index % 3 === 0 && event.type === 'step-start') setImmediate(stop)
        if (index % 3 === 1 && event.type === 'model') stop()
      },
    })
    const error = await running.then(
      () => undefined,
      (failure) => failure,
    )
    if (error !== reason) throw new Error(`abort ${index}: ${error}`)
    listeners += getEventListeners(signal, 'abort').length
  }
  return listeners
}

function neverEnds(stop) {
  setImmediate(stop)
  return new Promise(() => {})
}

console.log(
  `${runs} runs of ${turns} turns, ${globalThis.gc === undefined ? 'no --expose-gc' : 'collected before each sample'}, node ${process.version}`,
)
const slopes = await soak()
const before = await resources()
const listeners = await abortOften()
await new Promise((resolve) => setTimeout(resolve, 200)) // closing a socket takes a moment
const after = await resources()
server.stop()

const checks = [
  [`rss over the last half: ${slopes.rss.toFixed(0)} bytes a turn, at most ${most}`, slopes.rss < most],
  [`heap over the last half: ${slopes.heap.toFixed(0)} bytes a turn, at most ${most}`, slopes.heap < most],
  [`listeners left on the signal of all runs: ${slopes.listeners}`, slopes.listeners === 0],
  [`${aborts} aborts: ${listeners} listeners left on their signals`, listeners === 0],
  [`sockets: ${before.sockets} before, ${after.sockets} after`, after.sockets <= before.sockets],
  [`timers: ${before.timers} before, ${after.timers} after`, after.timers <= before.timers],
]
for (const [text, isOk] of checks) console.log(`${isOk ? 'ok    ' : 'MISSED'}  ${text}`)
process.exit(checks.every(([, isOk]) => isOk) ? 0 : 1)
