import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from './__fixtures__/build-program.js'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { openEffectStore } from './open-effect-store.js'
import { listWaiting } from './waiting.js'

let program = ''
let root = ''
beforeAll(async () => {
  program = await buildProgram('effect-program')
  // A killed process leaves memory-backed files as whole as others, and nothing waits for a disk there.
  root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'icm-effects-'))
})
afterAll(() => {
  for (const folder of [root, dirname(program)]) rmSync(folder, { recursive: true, force: true })
})

function setUp(name: string) {
  const log = join(root, `${name}.log`)
  writeFileSync(log, '')
  const folder = join(root, name)
  return {
    folder,
    /** Every effect that really happened. */
    happened: () => readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number),
    start: (...args: readonly unknown[]) =>
      spawn(process.execPath, [program, folder, log, ...args.map(String)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
  }
}

async function outputOf(child: ChildProcess): Promise<readonly string[]> {
  let text = ''
  child.stdout?.on('data', (data) => {
    text += data
  })
  await once(child, 'close')
  return text.split('\n').filter(Boolean)
}

async function firstOutput(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve) => {
    child.stdout?.once('data', () => resolve())
    child.once('close', () => resolve())
  })
}

describe('effects over processes', () => {
  it('8 processes with 125 interleaved calls each of one effect: it happens once, and all get its result', async () => {
    const { start, happened } = setUp('claims')
    const outputs = await Promise.all(Array.from({ length: 8 }, () => outputOf(start('one', 125))))
    const lines = outputs.flat()
    expect(happened()).toEqual([7])
    expect(lines).toHaveLength(1_000)
    expect(lines.filter((line) => line === '7 ok')).toHaveLength(1)
    expect(lines.filter((line) => line === '7 ok replayed')).toHaveLength(999)
  }, 300_000)

  it('the same with three of the processes killed: at most once, and nobody repeats what is in doubt', async () => {
    for (let round = 0; round < 2; round++) {
      const { folder, start, happened } = setUp(`killed-claims-${round}`)
      const children = Array.from({ length: 8 }, () => start('one', 125))
      const outputs = children.map(outputOf)
      await Promise.race([...children.map(firstOutput), sleep(150 + 150 * round)])
      for (const child of children.slice(0, 3)) child.kill('SIGKILL')
      const lines = (await Promise.all(outputs)).flat()
      expect(happened().length).toBeLessThanOrEqual(1)
      const inDoubt = lines.some((line) => line === '7 in_doubt')
      if (inDoubt) expect(await listWaiting(openEffectStore(folder))).toMatchObject([{ kind: 'in_doubt' }])
      else expect(happened()).toEqual([7])
    }
  }, 300_000)

  it('kill -9 at 200 random points: no effect happens twice, none is lost, at worst it is in doubt', async () => {
    const counts = { done: 0, repeated: 0, inDoubt: 0 }
    const lane = async (number: number) => {
      for (let kill = 0; kill < 50; kill++) {
        const { folder, start, happened } = setUp(`kill-${number}-${kill}`)
        const child = start('many', 1_000)
        const lines = outputOf(child)
        await firstOutput(child)
        await sleep(Math.random() * 20)
        child.kill('SIGKILL')
        const finished = (await lines).length
        // Everything that was begun, and some that was not.
        const outcomes = await resume(folder, happened, finished + 3)
        for (const outcome of outcomes) counts[outcome] += 1
      }
    }
    await Promise.all([0, 1, 2, 3].map(lane))
    expect(counts.done).toBeGreaterThan(200)
    expect(counts.repeated).toBeGreaterThan(0)
    // Otherwise no kill fell between "sent" and "result written", and nothing was tested.
    expect(counts.inDoubt).toBeGreaterThan(10)
  }, 300_000)
})

/** Makes the same calls in this process, as a run that goes on would, and looks at what really happened. */
async function resume(folder: string, happened: () => number[], count: number) {
  const again: number[] = []
  const sendMail = defineTool({
    name: 'send_mail',
    description: 'Sends a mail.',
    input: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
    output: 'trusted',
    idempotent: false,
    blastRadius: () => 1,
    run: ({ number }) => {
      again.push(Number(number))
      return `sent mail ${number}`
    },
  })
  const store = openEffectStore(folder)
  const registry = createToolRegistry({
    tools: [sendMail],
    session: { trust: 'host' },
    effects: { store, run: 'run-1' },
  })
  const before = happened()
  const outcomes: ('done' | 'repeated' | 'inDoubt')[] = []
  const waiting = new Set(
    (await listWaiting(store)).map((item) => item.kind === 'in_doubt' && item.effect.arguments.number),
  )
  for (let number = 0; number < count; number++) {
    const outcome = await registry.run({ id: `again-${number}`, name: 'send_mail', arguments: { number } })
    const times =
      before.filter((sent) => sent === number).length + again.filter((sent) => sent === number).length
    if (outcome.status === 'in_doubt') {
      expect(times).toBeLessThanOrEqual(1)
      expect(waiting.has(number)).toBe(true)
      outcomes.push('inDoubt')
    } else {
      expect(outcome.status).toBe('ok')
      expect(times).toBe(1)
      outcomes.push(again.includes(number) ? 'repeated' : 'done')
    }
  }
  return outcomes
}
