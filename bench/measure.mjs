/**
 * Runs several functions in turn, round after round, odd rounds backwards, and gives the best and the median time of each in
 * microseconds. In turn, because a busy machine then slows all of them down alike; the best, because noise only adds.
 * @param {Record<string, () => unknown>} functions
 * @param {{ rounds?: number, warmUp?: number, before?: () => void }} [options]
 * @returns {Promise<Record<string, { best: number, median: number }>>}
 */
export async function measure(functions, { rounds = 60, warmUp = 20, before = () => {} } = {}) {
  const names = Object.keys(functions)
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const name of round % 2 ? [...names].reverse() : names) {
      before()
      const start = performance.now()
      await functions[name]?.()
      if (round >= warmUp) times[name]?.push((performance.now() - start) * 1000)
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const sorted = (times[name] ?? []).sort((left, right) => left - right)
      return [name, { best: sorted[0] ?? 0, median: sorted[sorted.length >> 1] ?? 0 }]
    }),
  )
}

/** @param {number} microseconds */
export const shown = (microseconds) =>
  microseconds < 1000 ? `${microseconds.toFixed(1)} µs` : `${(microseconds / 1000).toFixed(1)} ms`

/**
 * The time that `import` of a module takes in a fresh process, over that of an empty module (Node's own loader has to start for
 * that too), in milliseconds: the best of some, in turn.
 * @param {string} path
 */
export async function importMs(path) {
  const { spawnSync } = await import('node:child_process')
  const { pathToFileURL } = await import('node:url')
  const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(`${tmpdir()}/icm-bench-`)
  const empty = `${folder}/empty.mjs`
  writeFileSync(empty, '')
  const best = { [empty]: Number.POSITIVE_INFINITY, [path]: Number.POSITIVE_INFINITY }
  for (let run = 0; run < 15; run++) {
    for (const module of [empty, path]) {
      const script = `const start = performance.now(); await import(${JSON.stringify(pathToFileURL(module).href)}); console.log(performance.now() - start)`
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      })
      best[module] = Math.min(best[module] ?? 0, Number(stdout))
    }
  }
  rmSync(folder, { recursive: true })
  return (best[path] ?? 0) - (best[empty] ?? 0)
}
