import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FakeOllama, startFakeOllama } from '@icm/chat-model/testing'
import { readJournal, stateFolder } from '@icm/pipeline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { courseScript } from './__fixtures__/course-script.js'

const icm = fileURLToPath(new URL('../bin/icm.js', import.meta.url))
const kills = 20

let server: FakeOllama
let home: string
beforeAll(async () => {
  server = await startFakeOllama({
    models: ['some-model:1b'],
    // Slow enough that kills land in every phase: before the first byte, between two lines, in a write.
    answer: (body) => {
      const answer = courseScript(body)
      return { ...(typeof answer === 'string' ? { text: answer } : answer), delayMs: 15, lineDelayMs: 2 }
    },
  })
  home = mkdtempSync(join(tmpdir(), 'icm-crash-'))
})
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

/** Runs the built program; killed after `killAfterMs` unless it has ended before. */
function start(
  words: readonly string[],
  folder: string,
  killAfterMs?: number,
): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH, HOME: home, OLLAMA_HOST: server.host }
  const child = spawn(process.execPath, [icm, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  child.stderr.on('data', (piece) => {
    output += piece
  })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  return new Promise((done) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      done({ code, output })
    })
  })
}

function outputs(folder: string): { readonly [path: string]: string } {
  const stages = join(folder, 'pipeline')
  const paths = readdirSync(stages, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /output[\\/][^.].*\.md$/.test(path),
  )
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(stages, path), 'utf8')]))
}

it(`killed at ${kills} random moments and started again, a run ends with the same files and no item written twice`, async () => {
  await start(['init', 'calm'], home)
  const began = performance.now()
  const calm = await start(['run', '--all'], join(home, 'calm'))
  const calmMs = performance.now() - began
  expect(calm).toMatchObject({ code: 0 })
  const expected = outputs(join(home, 'calm'))
  expect(Object.keys(expected)).toHaveLength(4)

  await start(['init', 'killed'], home)
  const folder = join(home, 'killed')
  let killed = 0
  // Spread over the whole run whatever the speed of the machine: each start gets a random share of a calm run's time.
  for (let round = 0; killed < kills && round < 200; round++) {
    const { code, output } = await start(['run', '--all'], folder, Math.random() * calmMs * 0.6)
    if (code === null) killed++
    else expect(output, output).toMatch(/every stage is done|nothing to do/)
    for (const [path, text] of Object.entries(outputs(folder))) expect(text, path).toBe(expected[path])
    if (code === 0) rmSync(join(folder, 'pipeline', '04-draft', 'output', 'draft.md'))
  }
  expect(killed).toBe(kills)
  const last = await start(['run', '--all'], folder)
  expect(last, last.output).toMatchObject({ code: 0 })
  expect(outputs(folder)).toEqual(expected)

  const runs = readdirSync(join(folder, '.icm', 'runs'))
  const events = (
    await Promise.all(runs.map((run) => readJournal(stateFolder({ root: folder }).journal(run))))
  ).flat()
  const finished = events.flatMap((event) => (event.type === 'item-end' ? [event.heading] : []))
  expect(finished.length).toBe(new Set(finished).size)
  expect(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tmp')),
  ).toEqual([])
}, 300_000)
