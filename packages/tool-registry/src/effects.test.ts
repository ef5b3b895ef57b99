import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import type { EffectStore } from './effect-store.js'
import { ToolRegistryError } from './errors.js'
import { createMemoryEffectStore } from './memory-effect-store.js'
import { openEffectStore } from './open-effect-store.js'
import type { EffectOptions, Tool } from './types.js'
import { decideWaiting, listWaiting } from './waiting.js'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'icm-effects-'))
  folders.push(folder)
  return folder
}

type Behaviour = Partial<Omit<Tool<{ readonly to?: unknown }>, 'name' | 'input'>>

/** A registry as one process has it; a second one over the same store is the process after a restart. */
function open(store: EffectStore, behaviour: Behaviour = {}, effects: Partial<EffectOptions> = {}) {
  const ran: unknown[] = []
  const registry = createToolRegistry({
    tools: [
      defineTool({
        description: 'Sends a mail.',
        output: 'trusted',
        blastRadius: () => 1,
        run: ({ to }) => {
          ran.push(to)
          return `sent to ${to}`
        },
        ...(behaviour as object),
        name: 'send_mail',
        input: { type: 'object', properties: { to: {} } },
        aliases: { to: ['recipient'] },
      }),
    ],
    session: { trust: 'host' },
    effects: { store, run: 'run-1', ...effects },
  })
  let calls = 0
  const send = (args: unknown, options = {}) =>
    registry.run({ id: `call-${++calls}`, name: 'send_mail', arguments: args }, options)
  return { send, ran }
}

describe.each([
  ['files', () => openEffectStore(newFolder())],
  ['memory', createMemoryEffectStore],
] as const)('an effect, with a store of %s', (_, make) => {
  it('happens once; a repeat gets the earlier result, whatever the spelling of the arguments', async () => {
    const { send, ran } = open(make(), {}, { stage: '02-send' })
    expect(await send({ to: 'ann' })).toMatchObject({ status: 'ok', text: 'sent to ann' })
    const again = await send('{"arguments":{"recipient":"ann"}}')
    expect(again).toMatchObject({ status: 'ok', replayed: true })
    expect(again.text).toMatch(
      /^Already done at \d{4}-\d\d-\d\dT\S+ in stage 02-send; it was not done again\. Its result:\nsent to ann$/,
    )
    expect(await send({ to: 'bob' })).toMatchObject({ text: 'sent to bob' })
    expect(ran).toEqual(['ann', 'bob'])
  })

  it('is remembered over a restart, and not in another run', async () => {
    const store = make()
    await open(store).send({ to: 'ann' })
    const restarted = open(store)
    expect(await restarted.send({ to: 'ann' })).toMatchObject({ replayed: true })
    expect(restarted.ran).toEqual([])
    const next = open(store, {}, { run: 'run-2' })
    expect(await next.send({ to: 'ann' })).toMatchObject({ status: 'ok', text: 'sent to ann' })
  })

  it('that cannot be undone is remembered in the next run too', async () => {
    const store = make()
    const effects = { workspace: 'course' }
    const first = open(store, { irreversible: true }, effects)
    const { callKey } = await first.send({ to: 'ann' })
    expect(await first.send({ to: 'ann' }, { decision: { callKey, approved: true } })).toMatchObject({
      status: 'ok',
    })
    const next = open(store, { irreversible: true }, { ...effects, run: 'run-2' })
    expect(await next.send({ to: 'ann' })).toMatchObject({ status: 'ok', replayed: true })
    expect(next.ran).toEqual([])
  })

  it('that failed may be tried again (F07)', async () => {
    let tries = 0
    const failing: Behaviour = {
      run: () => {
        tries += 1
        if (tries === 1) throw new Error('the server was full')
        return 'sent'
      },
    }
    const { send } = open(make(), failing)
    expect(await send({ to: 'ann' })).toMatchObject({ status: 'error' })
    expect(await send({ to: 'ann' })).toMatchObject({ status: 'ok', text: 'sent' })
    expect(await send({ to: 'ann' })).toMatchObject({ replayed: true })
    expect(tries).toBe(2)
  })

  it.each<[string, Behaviour]>([
    ['the time is up', { run: () => new Promise<string>(() => {}), timeoutMs: 10 }],
    [
      'the answer is lost (C06)',
      {
        run: () => {
          const [what, why, instead] = ['The line broke.', 'It was sent.', 'Look.']
          throw new ToolRegistryError({ code: 'tool/outcome-unknown', what, why, instead })
        },
      },
    ],
  ])('is in doubt when %s, and never made again by itself', async (_case, behaviour) => {
    const store = make()
    expect(await open(store, behaviour).send({ to: 'ann' })).toMatchObject({ status: 'in_doubt' })
    const restarted = open(store)
    const again = await restarted.send({ to: 'ann' })
    expect(again).toMatchObject({ status: 'in_doubt', problem: { code: 'tool/in-doubt' } })
    expect(again.text).toContain('Whether it took effect is not known.')
    expect(restarted.ran).toEqual([])
    expect(await listWaiting(store)).toMatchObject([
      { kind: 'in_doubt', effect: { toolName: 'send_mail', arguments: { to: 'ann' } } },
    ])
  })

  it('in doubt runs again once a person approves, and never once a person rejects', async () => {
    const store = make()
    await open(store, { run: () => new Promise<string>(() => {}), timeoutMs: 10 }).send({ to: 'ann' })
    const [waiting] = await listWaiting(store)
    expect(await decideWaiting(store, waiting?.id.slice(0, 6), { approved: true })).toMatchObject({
      status: 'decided',
    })
    const restarted = open(store)
    expect(await restarted.send({ to: 'ann' })).toMatchObject({ status: 'ok', text: 'sent to ann' })

    await open(store, { run: () => new Promise<string>(() => {}), timeoutMs: 10 }).send({ to: 'bob' })
    expect(await decideWaiting(store, undefined, { approved: false, note: 'Bob has it.' })).toMatchObject({
      status: 'decided',
    })
    const rejected = await restarted.send({ to: 'bob' })
    expect(rejected).toMatchObject({ status: 'error', problem: { code: 'tool/rejected' } })
    expect(rejected.text).toContain('Bob has it.')
    expect(restarted.ran).toEqual(['ann'])
    expect(await listWaiting(store)).toEqual([])
  })

  it('in doubt is not settled by a consent that came with the call', async () => {
    const store = make()
    const hanging: Behaviour = { run: () => new Promise<string>(() => {}), timeoutMs: 10, irreversible: true }
    const first = open(store, hanging)
    const { callKey } = await first.send({ to: 'ann' })
    const decision = { callKey, approved: true }
    expect((await first.send({ to: 'ann' }, { decision })).status).toBe('in_doubt')
    const restarted = open(store, { irreversible: true })
    expect((await restarted.send({ to: 'ann' }, { decision: { ...decision } })).status).toBe('in_doubt')
    expect(restarted.ran).toEqual([])
  })

  it('of a tool whose repetition means something happens every time', async () => {
    const { send, ran } = open(make(), { repeatable: true })
    await send({ to: 'ann' })
    expect(await send({ to: 'ann' })).not.toHaveProperty('replayed')
    expect(ran).toEqual(['ann', 'ann'])
  })

  it('of a read or an idempotent tool is not kept', async () => {
    const store = make()
    for (const behaviour of [{ idempotent: true }, { blastRadius: () => 0 }]) {
      const { send, ran } = open(store, behaviour)
      await send({ to: 'ann' })
      expect(await send({ to: 'ann' })).not.toHaveProperty('replayed')
      expect(ran).toHaveLength(2)
    }
    expect(await store.ledger.list()).toEqual([])
  })

  it('that is being made by an equal call is waited for', async () => {
    const store = make()
    const slow: Behaviour = {
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        return 'sent slowly'
      },
    }
    const outcomes = await Promise.all([
      open(store, slow).send({ to: 'ann' }),
      open(store, slow).send({ to: 'ann' }),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['ok', 'ok'])
    expect(outcomes.filter((outcome) => outcome.status === 'ok' && outcome.replayed)).toHaveLength(1)
  })

  it('that another call holds for longer than the tool may take is an error that says so', async () => {
    const store = make()
    const first = open(store, { run: () => new Promise((resolve) => setTimeout(resolve, 400, 'sent')) }).send(
      { to: 'x' },
    )
    await new Promise((resolve) => setTimeout(resolve, 60))
    const outcome = await open(store, { timeoutMs: 50 }).send({ to: 'x' })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/in-progress' } })
    expect((await first).status).toBe('ok')
  })

  it('answers a repeat with at most 500 characters of a long result', async () => {
    const { send } = open(make(), { run: () => `START ${'x'.repeat(1_500)} END` })
    await send({ to: 'ann' })
    const again = await send({ to: 'ann' })
    expect(again.text.length).toBeLessThanOrEqual(500)
    expect(again.text).toMatch(/START x+[\s\S]*characters removed[\s\S]*x END$/)
  })

  it('passes an abort on while it waits for an equal call', async () => {
    const store = make()
    const first = open(store, { run: () => new Promise((resolve) => setTimeout(resolve, 300, 'sent')) }).send(
      { to: 'x' },
    )
    const abort = new AbortController()
    setTimeout(() => abort.abort('stop'), 60)
    await expect(open(store).send({ to: 'x' }, { signal: abort.signal })).rejects.toBe('stop')
    await first
  })
})

describe('a store of files', () => {
  it('that cannot be read lets nothing happen (D06)', async () => {
    const folder = newFolder()
    await open(openEffectStore(folder)).send({ to: 'ann' })
    const [name = ''] = readdirSync(join(folder, 'effects')).filter((entry) => entry.endsWith('.json'))
    writeFileSync(join(folder, 'effects', name), '{"key":')
    const restarted = open(openEffectStore(folder))
    const outcome = await restarted.send({ to: 'ann' })
    expect(outcome).toMatchObject({ status: 'error', problem: { details: { cause: 'tool/bad-record' } } })
    expect(outcome.text).toContain(`${name} was not read.`)
    expect(restarted.ran).toEqual([])
  })

  it('of a newer version lets nothing happen, and unknown fields are kept (D05)', async () => {
    const folder = newFolder()
    await open(openEffectStore(folder), { run: () => new Promise<string>(() => {}), timeoutMs: 10 }).send({
      to: 'x',
    })
    const [name = ''] = readdirSync(join(folder, 'effects')).filter((entry) => entry.endsWith('.json'))
    const path = join(folder, 'effects', name)
    const record: object = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...record, more: { kept: true } }))
    await decideWaiting(openEffectStore(folder), undefined, { approved: false })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ more: { kept: true }, state: 'declined' })
    writeFileSync(path, JSON.stringify({ ...record, v: 2 }))
    const { send, ran } = open(openEffectStore(folder))
    expect(await send({ to: 'x' })).toMatchObject({
      status: 'error',
      problem: { details: { cause: 'tool/bad-record' } },
    })
    expect(ran).toEqual([])
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ v: 2 })
  })

  it('that cannot be written lets nothing happen', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'effects'), 'a file where the folder is to be')
    const { send, ran } = open(openEffectStore(folder))
    expect(await send({ to: 'ann' })).toMatchObject({ status: 'error' })
    expect(ran).toEqual([])
  })

  it('leaves nothing but the record behind', async () => {
    const folder = newFolder()
    const { send } = open(openEffectStore(folder))
    await send({ to: 'ann' })
    expect(readdirSync(join(folder, 'effects'))).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.json$/)])
  })
})
