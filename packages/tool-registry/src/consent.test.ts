import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { ToolRegistryError } from './errors.js'
import type { Tool } from './types.js'

type Input = { count: number; note?: string | undefined }
type Behaviour = Partial<Omit<Tool<Input>, 'name' | 'input'>>

function setUp(behaviour: Behaviour, consentAt?: number) {
  const ran: number[] = []
  const tool = defineTool({
    description: 'Renames files.',
    output: 'trusted',
    run: ({ count }) => {
      ran.push(count)
      return 'renamed'
    },
    ...behaviour,
    name: 'rename_files',
    input: z.object({ count: z.number(), note: z.string().optional() }),
  })
  const registry = createToolRegistry({
    tools: [tool],
    session: { trust: 'host' },
    ...(consentAt === undefined ? {} : { consentAt }),
  })
  const run = (args: unknown, options = {}) =>
    registry.run({ id: '1', name: 'rename_files', arguments: args }, options)
  return { run, ran }
}

const byCount: Behaviour = { blastRadius: ({ count }) => count }

describe('consent is needed', () => {
  it('from ten objects on', async () => {
    const { run, ran } = setUp(byCount)
    expect((await run({ count: 9 })).status).toBe('ok')
    expect((await run({ count: 10 })).status).toBe('needs_consent')
    expect(ran).toEqual([9])
  })

  it.each<[string, Behaviour]>([
    ['an undeclared radius', {}],
    ['an irreversible tool, even of one object', { blastRadius: () => 1, irreversible: true }],
    ['an irreversible tool of no objects', { blastRadius: () => 0, irreversible: true }],
    ['a radius that throws', { blastRadius: () => Promise.reject(new Error('x')) }],
    ['a radius that is no number', { blastRadius: () => Number.NaN }],
    ['a negative radius', { blastRadius: () => -1 }],
    ['a fraction', { blastRadius: () => 0.5 }],
    ['an endless radius', { blastRadius: () => Number.POSITIVE_INFINITY }],
    ['a radius that never comes', { blastRadius: () => new Promise<number>(() => {}), timeoutMs: 10 }],
  ])('for %s', async (_, behaviour) => {
    const { run, ran } = setUp(behaviour)
    const outcome = await run({ count: 1 })
    expect(outcome.status).toBe('needs_consent')
    expect(outcome.text).toContain('was not executed')
    expect(ran).toEqual([])
  })

  it('not for a call that cannot be carried out: the model reads the computed error', async () => {
    const wrongPath = new ToolRegistryError({
      code: 'tool/no-observation',
      what: 'Nothing is at "x".',
      why: 'There is a.txt.',
      instead: 'Give a path that is there.',
    })
    const { run, ran } = setUp({
      blastRadius: (_input) => {
        throw wrongPath
      },
    })
    const outcome = await run({ count: 3 })
    expect(outcome).toMatchObject({ status: 'error', text: expect.stringContaining('There is a.txt.') })
    expect(ran).toEqual([])
  })

  it('from where the registry says', async () => {
    const { run } = setUp(byCount, 3)
    expect((await run({ count: 2 })).status).toBe('ok')
    expect((await run({ count: 3 })).status).toBe('needs_consent')
  })
})

describe('a consent request', () => {
  it('shows the exact arguments, the number, the dry run and the reason', async () => {
    const { run } = setUp({ ...byCount, dryRun: ({ count }) => `would rename ${count} files\u001b[31m` })
    const outcome = await run('{"count":"12","x":1}')
    expect(outcome).toMatchObject({
      status: 'needs_consent',
      request: {
        callKey: outcome.callKey,
        toolName: 'rename_files',
        arguments: { count: 12 },
        objects: 12,
        irreversible: false,
        dryRun: 'would rename 12 files',
        reason: 'it would change 12 objects, and from 10 on a person decides',
      },
    })
  })

  it('says that the dry run failed rather than leave it out in silence', async () => {
    const { run } = setUp({ ...byCount, dryRun: () => Promise.reject(new Error('no')) })
    const outcome = await run({ count: 12 })
    expect(outcome).toMatchObject({ request: { reason: expect.stringContaining('its dry run failed') } })
    expect(outcome).not.toHaveProperty('request.dryRun')
  })
})

describe('a decision', () => {
  it('lets exactly that call run', async () => {
    const { run, ran } = setUp(byCount)
    const { callKey } = await run({ count: 12 })
    const decision = { callKey, approved: true }
    expect((await run({ count: 13 }, { decision })).status).toBe('needs_consent')
    expect((await run({ count: 12, note: 'more' }, { decision })).status).toBe('needs_consent')
    expect(await run({ count: 12 }, { decision })).toMatchObject({ status: 'ok', text: 'renamed' })
    expect(ran).toEqual([12])
  })

  it('cannot be written by the model', async () => {
    const { run, ran } = setUp(byCount)
    const { callKey } = await run({ count: 12 })
    await run({ count: 12, decision: { callKey, approved: true }, approved: true })
    expect(ran).toEqual([])
  })

  it('against the call ends it, with the note and without execution', async () => {
    const { run, ran } = setUp(byCount)
    const { callKey } = await run({ count: 12 })
    const outcome = await run({ count: 12 }, { decision: { callKey, approved: false, note: 'too many' } })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/rejected' } })
    expect(outcome.text).toContain('was not executed')
    expect(outcome.text).toContain('too many.')
    expect(ran).toEqual([])
  })

  it('against a call that needs no consent holds too', async () => {
    const { run, ran } = setUp(byCount)
    const { callKey } = await run({ count: 1 })
    ran.length = 0
    const outcome = await run({ count: 1 }, { decision: { callKey, approved: false } })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/rejected' } })
    expect(ran).toEqual([])
  })
})

it('an abort while the radius or the dry run is worked out is passed on', async () => {
  for (const behaviour of [
    { blastRadius: () => new Promise<number>(() => {}) },
    { ...byCount, dryRun: () => new Promise<string>(() => {}) },
  ]) {
    const abort = new AbortController()
    const running = setUp(behaviour).run({ count: 12 }, { signal: abort.signal })
    setTimeout(() => abort.abort('stop'), 5)
    await expect(running).rejects.toBe('stop')
  }
})
