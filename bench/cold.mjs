// From nothing: what importing costs beyond Node alone, a whole job in a new process, and its peak memory.
import { spawnSync } from 'node:child_process'
import { isQuick, median, peers, peersFolder, prepare, runCold, startServer } from './loop/processes.mjs'

const only = process.env.BENCH_PEERS?.split(',')
const chosen = peers.filter(({ id }) => only === undefined || only.includes(id))
const importRounds = isQuick ? 5 : 9
const jobs = [
  { calls: 20, rounds: isQuick ? 3 : 5 },
  { calls: 400, rounds: isQuick ? 1 : 3 },
]

export async function bench() {
  prepare()
  const rows = shown(measureImports())
  const server = await startServer()
  try {
    for (const job of jobs) rows.push(...shown(await measureJobs(job, server.base)))
  } finally {
    server.stop()
  }
  return { about: 'a new process each time, rounds interleaved, medians', rows }
}

/** A long benchmark shows what it has. */
function shown(rows) {
  for (const { name, value } of rows) console.error(`${name}: ${value}`)
  return rows
}

function measureImports() {
  const imports = [
    { id: 'node alone', code: '' },
    ...chosen.filter((peer) => peer.imports).map(({ id, imports: code }) => ({ id, code })),
  ]
  const times = new Map(imports.map(({ id }) => [id, { wall: [], cpu: [] }]))
  for (let round = 0; round <= importRounds; round++) {
    for (const { id, code } of round % 2 === 0 ? imports : imports.toReversed()) {
      const { wall, cpu } = runImport(code)
      if (round === 0) continue // the first fills the page cache
      times.get(id).wall.push(wall)
      times.get(id).cpu.push(cpu)
    }
  }
  const nothing = times.get('node alone')
  return [...times].map(([id, { wall, cpu }]) => {
    const over = median(wall) - median(nothing.wall)
    const cpuOver = median(cpu) - median(nothing.cpu)
    const value =
      id === 'node alone'
        ? `${median(wall).toFixed(0)} ms, CPU ${median(cpu).toFixed(0)}`
        : `+${over.toFixed(0)} ms, CPU +${cpuOver.toFixed(0)}`
    return { name: `import: ${id}`, value, ...(id === 'icm' ? { target: '<= +30 ms', ok: over <= 30 } : {}) }
  })
}

function runImport(code) {
  const program = `${code}; const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000)); process.exit(0)`
  const started = performance.now()
  const given = ['--no-warnings', '--input-type=module', '-e', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, given, {
    cwd: peersFolder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return { wall: performance.now() - started, cpu: Number(stdout) }
}

async function measureJobs({ calls, rounds }, base) {
  const list = chosen.filter(({ id }) => !id.includes('A/A'))
  const figures = new Map(list.map(({ id }) => [id, []]))
  for (let round = 0; round < rounds; round++) {
    for (const peer of round % 2 === 0 ? list : list.toReversed())
      figures.get(peer.id).push(await runCold(peer, base, calls, 40))
  }
  const peak = (id) => median(figures.get(id).map(({ peakKb }) => peakKb)) / 1024
  return list.map(({ id }) => {
    const [wall, cpu] = ['wallMs', 'cpuMs'].map((key) => median(figures.get(id).map((run) => run[key])))
    const limit = figures.has('raw append-only') ? peak('raw append-only') + 15 : undefined
    const value = `${wall.toFixed(0)} ms, CPU ${cpu.toFixed(0)} ms, peak ${peak(id).toFixed(0)} MB`
    return {
      name: `job of ${calls} calls: ${id}`,
      value,
      ...(id === 'icm' && limit !== undefined
        ? { target: `<= ${limit.toFixed(0)} MB`, ok: peak(id) <= limit }
        : {}),
    }
  })
}
