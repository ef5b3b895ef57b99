// One peer in one process, so that its CPU time (all threads, collector and compiler included) is its own.
//   node worker.mjs <peer file>                                    talks over IPC: setup, run
//   node worker.mjs <peer file> --once <calls> <tools> <base>      a whole cold job, its figures on stdout
import { finalText, system, toolResult, tools, user } from './job.mjs'

const [file, mode, ...rest] = process.argv.slice(2)
const { setup } = await import(file)
let run
let executed = 0

async function prepare(base, number) {
  const exec = async () => {
    executed++
    return toolResult
  }
  run = await setup({ base, definitions: tools(number), system, user, exec })
}

async function runOnce({ calls, pieces = 0 }) {
  executed = 0
  const model = `fake-${calls}${pieces === 0 ? '' : `-c${pieces}`}`
  const before = process.cpuUsage()
  const { text } = await run({ model, calls, pieces })
  const { user: inUser, system: inSystem } = process.cpuUsage(before)
  if (executed !== calls) throw new Error(`${executed} tool calls instead of ${calls}`)
  const isRight = pieces === 0 ? text === finalText : text.split('piece').length - 1 === pieces
  if (!isRight) throw new Error(`another text came: ${String(text).slice(0, 100)}`)
  return { cpuUs: inUser + inSystem, turns: calls + 1, pieces }
}

if (mode === '--once') {
  const [calls, number, base] = rest
  await prepare(base, Number(number))
  await runOnce({ calls: Number(calls) })
  const { user: inUser, system: inSystem } = process.cpuUsage()
  process.stdout.write(
    JSON.stringify({ cpuMs: (inUser + inSystem) / 1_000, peakKb: process.resourceUsage().maxRSS }),
  )
  process.exit(0)
}

process.on('disconnect', () => process.exit(0))
process.on('message', async ({ setup: wanted, run: job }) => {
  try {
    if (wanted !== undefined) await prepare(wanted.base, wanted.tools)
    const figures = []
    for (let time = 0; time < (job?.times ?? 0); time++) figures.push(await runOnce(job))
    process.send({ figures })
  } catch (error) {
    process.send({ failure: String(error?.stack ?? error) })
  }
})
process.send({ figures: [] })
