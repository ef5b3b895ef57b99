// CPU per turn and per streamed piece, against raw clients and three agent libraries. Every peer is a warmed-up process
// of its own; rounds are interleaved, every other one backwards, and a row is the median of its rounds.
import { loadavg } from 'node:os'
import { median, peers, prepare, quantile, startPeer, startServer } from './processes.mjs'

const jobs = [
  {
    title: '40 tools, 20 calls (21 turns)',
    tools: 40,
    calls: 20,
    warmUp: 60,
    rounds: 9,
    heat: 2,
    measured: 3,
  },
  { title: '5 tools, 20 calls', tools: 5, calls: 20, warmUp: 60, rounds: 7, heat: 2, measured: 3 },
  { title: '400 tools, 20 calls', tools: 400, calls: 20, warmUp: 12, rounds: 5, heat: 1, measured: 2 },
  { title: '5 tools, 400 calls', tools: 5, calls: 400, warmUp: 2, rounds: 5, heat: 0, measured: 1 },
]
const streamed = {
  title: 'a streamed text of 4,000 pieces',
  tools: 5,
  calls: 0,
  pieces: 4_000,
  warmUp: 4,
  rounds: 9,
  heat: 1,
  measured: 2,
}

/** Runs the benchmark and returns its tables; `only` names peers, `quick` takes the first job and the streaming. */
export async function benchLoop({ only, quick = false } = {}) {
  prepare()
  const server = await startServer()
  const chosen = peers.filter(({ id }) => only === undefined || only.includes(id))
  try {
    const tables = []
    for (const job of quick ? jobs.slice(0, 1) : jobs)
      tables.push(await measure(chosen, job, server.base, (run) => run.turns))
    tables.push(
      await measure(
        chosen.filter((peer) => peer.streams),
        streamed,
        server.base,
        (run) => run.pieces,
      ),
    )
    return tables
  } finally {
    server.stop()
  }
}

async function measure(chosen, job, base, unitsOf) {
  const { title, tools, calls, pieces, warmUp, rounds, heat, measured } = job
  const running = []
  try {
    for (const peer of chosen) running.push({ ...(await startPeer(peer, base, tools)), values: [] })
    for (const each of running) await each.run({ calls, pieces, times: warmUp })
    for (let round = 0; round < rounds; round++) {
      for (const each of round % 2 === 0 ? running : running.toReversed()) {
        const figures = await each.run({ calls, pieces, times: heat + measured })
        each.values.push(median(figures.slice(heat).map((run) => run.cpuUs / unitsOf(run))))
      }
    }
  } finally {
    for (const each of running) each.stop()
  }
  const rows = running.map(({ peer, values }) => ({
    id: peer.id,
    cpuUs: median(values),
    low: quantile(values, 0.25),
    high: quantile(values, 0.75),
  }))
  const table = { title, unit: pieces === undefined ? 'turn' : 'piece', load: loadavg()[0], rows }
  console.log(formatLoop(table))
  return table
}

/** A table of ratios; the first row is 1. */
export function formatLoop({ title, unit, load, rows }) {
  const digits = unit === 'piece' ? 2 : 0
  const ours = rows.find(({ id }) => id === 'icm')
  const lines = rows.map(({ id, cpuUs, low, high }) => {
    const toOurs = ours === undefined ? '' : `${(cpuUs / ours.cpuUs).toFixed(2)}`
    return `| ${id} | ${cpuUs.toFixed(digits)} | ${low.toFixed(digits)}–${high.toFixed(digits)} | ${(cpuUs / rows[0].cpuUs).toFixed(2)} | ${toOurs} |`
  })
  return [
    `\n### ${title} (load ${load.toFixed(1)})\n`,
    `| | CPU µs per ${unit} | quartiles | × ${rows[0]?.id} | × icm |`,
    '|:--|--:|--:|--:|--:|',
    ...lines,
  ].join('\n')
}

if (process.argv[1] === import.meta.filename) {
  const only = process.argv
    .find((each) => each.startsWith('--peers='))
    ?.slice('--peers='.length)
    .split(',')
  await benchLoop({ only, quick: process.argv.includes('--quick') })
}
