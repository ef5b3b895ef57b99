// CPU per turn and per streamed piece of the loop on its Ollama adapter, against raw clients and agent libraries.
// Every peer is a warmed-up process of its own on one fake server; rounds are interleaved, every other one backwards,
// and a figure is the median of its rounds. CPU time, not wall time: the machine may be busy. `BENCH_QUICK=1` warms up and
// measures a third as often; `BENCH_PEERS='icm,raw fetch'` takes only these, also in `cold`.
import { loadavg } from 'node:os'
import { isQuick, median, peers, prepare, quantile, startPeer, startServer } from './loop/processes.mjs'

const short = {
  title: '40 tools, 20 calls',
  tools: 40,
  calls: 20,
  warmUp: 150,
  rounds: 9,
  heat: 2,
  measured: 3,
}
const long = {
  title: '40 tools, 400 calls',
  tools: 40,
  calls: 400,
  warmUp: 6,
  rounds: 5,
  heat: 0,
  measured: 1,
}
const streamed = {
  title: '4,000 streamed pieces',
  tools: 5,
  calls: 0,
  pieces: 4_000,
  warmUp: 30,
  rounds: 9,
  heat: 1,
  measured: 2,
}

export async function bench() {
  prepare()
  const only = process.env.BENCH_PEERS?.split(',')
  const chosen = peers.filter(({ id }) => only === undefined || only.includes(id))
  const streaming = chosen.filter((peer) => peer.streams)
  const server = await startServer()
  try {
    const turn = await measure(chosen, short, server.base, (run) => run.turns)
    const piece = await measure(streaming, streamed, server.base, (run) => run.pieces)
    const lateTurn = await measure(chosen, long, server.base, (run) => run.turns)
    const rows = [
      ...tableRows(short.title, 'turn', turn),
      ...tableRows(long.title, 'turn', lateTurn),
      ...tableRows(streamed.title, 'piece', piece),
      atMost('a turn: icm / raw fetch', turn, 'icm', 'raw fetch', 0.4),
      atMost('a turn: icm / raw append-only', turn, 'icm', 'raw append-only', 1.6),
      atLeast('a turn: ai 7 / icm', turn, 'ai 7.0.173', 3),
      atLeast('a turn: langgraph / icm', turn, 'langgraph 1.7.3', 6),
      atLeast('a turn: openai-agents / icm', turn, 'openai-agents 0.20.0', 6),
      ratioRow('icm: a turn of 400 / a turn of 20', lateTurn.get('icm')?.cpuUs, turn.get('icm')?.cpuUs, 2),
      atMost('a piece: icm / raw fetch stream', piece, 'icm', 'raw fetch stream', 1.5),
    ]
    return {
      about: `CPU time, median of interleaved rounds (quartiles), load ${loadavg()[0].toFixed(1)}`,
      rows: rows.filter((row) => row !== undefined),
    }
  } finally {
    server.stop()
  }
}

async function measure(chosen, job, base, unitsOf) {
  const { tools, calls, pieces, heat, measured } = job
  const [warmUp, rounds] = [job.warmUp, job.rounds].map((times) => (isQuick ? Math.ceil(times / 3) : times))
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
  const table = new Map(
    running.map(({ peer, values }) => {
      return [peer.id, { cpuUs: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) }]
    }),
  )
  // A long benchmark shows what it has.
  for (const { name, value } of tableRows(job.title, pieces === undefined ? 'turn' : 'piece', table))
    console.error(`${name}: ${value}`)
  return table
}

function tableRows(title, unit, table) {
  const digits = unit === 'piece' ? 2 : 0
  return [...table].map(([id, { cpuUs, low, high }]) => ({
    name: `${title}: ${id}`,
    value: `${cpuUs.toFixed(digits)} µs per ${unit} (${low.toFixed(digits)}–${high.toFixed(digits)})`,
  }))
}

function atMost(name, table, one, other, most) {
  return ratioRow(name, table.get(one)?.cpuUs, table.get(other)?.cpuUs, most)
}

function ratioRow(name, one, other, most) {
  if (one === undefined || other === undefined) return undefined
  return { name, value: `× ${(one / other).toFixed(2)}`, target: `<= ${most}`, ok: one / other <= most }
}

function atLeast(name, table, peer, least) {
  const [one, ours] = [table.get(peer)?.cpuUs, table.get('icm')?.cpuUs]
  if (one === undefined || ours === undefined) return undefined
  return { name, value: `× ${(one / ours).toFixed(2)}`, target: `>= ${least}`, ok: one / ours >= least }
}
