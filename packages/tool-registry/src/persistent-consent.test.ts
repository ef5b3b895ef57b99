import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { describeConsent } from './describe-consent.js'
import type { EffectStore } from './effect-store.js'
import { createMemoryEffectStore } from './memory-effect-store.js'
import { openEffectStore } from './open-effect-store.js'
import { decideWaiting, listWaiting } from './waiting.js'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'icm-consents-'))
  folders.push(folder)
  return folder
}

/** Renames as many files as the pattern is said to match. */
function open(store: EffectStore | undefined, change: object = {}, files = 3_000) {
  const ran: unknown[] = []
  const registry = createToolRegistry({
    tools: [
      defineTool({
        name: 'rename_files',
        description: 'Renames files.',
        input: {
          type: 'object',
          properties: { pattern: { type: 'string' }, to: { type: 'string' } },
          required: ['pattern'],
        },
        output: 'trusted',
        idempotent: false,
        blastRadius: () => files,
        dryRun: ({ pattern }) => `${files} files like ${pattern}: a.txt → a.md, …`,
        backup: () => '.backup/',
        run: (input) => {
          ran.push(input)
          return 'renamed'
        },
        ...change,
      }),
    ],
    session: { trust: 'host' },
    ...(store === undefined ? {} : { effects: { store, run: 'run-1', stage: '01-tidy' } }),
  })
  const rename = (args: unknown, options = {}) =>
    registry.run({ id: '1', name: 'rename_files', arguments: args }, options)
  return { rename, ran }
}

it('rename("*.txt") over 3 files runs, with its dry run known', async () => {
  const { rename, ran } = open(undefined, {}, 3)
  expect(await rename({ pattern: '*.txt' })).toMatchObject({
    status: 'ok',
    level: 'local',
    objects: 3,
    dryRun: '3 files like *.txt: a.txt → a.md, …',
  })
  expect(ran).toHaveLength(1)
})

it('a dry run that fails over a few files calls a person', async () => {
  const { rename, ran } = open(undefined, { dryRun: () => Promise.reject(new Error('no')) }, 3)
  expect(await rename({ pattern: '*.txt' })).toMatchObject({
    status: 'needs_consent',
    request: { hasDryRun: false, reason: 'it would change 3 objects; its dry run failed' },
  })
  expect(ran).toEqual([])
})

describe.each([
  ['files', () => openEffectStore(newFolder())],
  ['memory', createMemoryEffectStore],
] as const)('rename("*.txt") over 3,000 files, with a store of %s', (_, make) => {
  it('waits for consent with its number, dry run, backup and exact arguments', async () => {
    const store = make()
    const { rename, ran } = open(store)
    const outcome = await rename('{"pattern":"*.txt","force":true}')
    expect(outcome).toMatchObject({
      status: 'needs_consent',
      level: 'wide',
      objects: 3_000,
      request: {
        arguments: { pattern: '*.txt' },
        objects: 3_000,
        level: 'wide',
        hasDryRun: true,
        dryRun: '3000 files like *.txt: a.txt → a.md, …',
        backup: '.backup/',
      },
    })
    expect(ran).toEqual([])
    const [waiting, ...others] = await listWaiting(store)
    expect(others).toEqual([])
    expect(waiting).toMatchObject({ kind: 'consent', consent: { state: 'waiting', stage: '01-tidy' } })
    if (outcome.status !== 'needs_consent' || waiting?.kind !== 'consent') return
    expect(waiting.id).toBe(outcome.request.consentKey)
    expect(waiting.consent.request).toEqual(outcome.request)
    expect(describeConsent(waiting.consent.request)).toContain('Dry run:\n  3000 files like *.txt')
  })

  it('runs after a restart once a person has approved, and only with these arguments, and once', async () => {
    const store = make()
    await open(store).rename({ pattern: '*.txt', to: '*.md' })
    expect(await decideWaiting(store, undefined, { approved: true })).toMatchObject({ status: 'decided' })

    const restarted = open(store)
    expect((await restarted.rename({ pattern: '*.txt', to: '*.html' })).status).toBe('needs_consent')
    // The same arguments in another order are the same call (D02).
    expect(await restarted.rename({ to: '*.md', pattern: '*.txt' })).toMatchObject({
      status: 'ok',
      text: 'renamed',
    })
    expect(await restarted.rename({ pattern: '*.txt', to: '*.md' })).toMatchObject({ replayed: true })
    expect(restarted.ran).toEqual([{ to: '*.md', pattern: '*.txt' }])
  })

  it('asks again when the tool may run repeatedly: one consent, one run', async () => {
    const store = make()
    const { rename, ran } = open(store, { idempotent: true })
    await rename({ pattern: '*.txt' })
    await decideWaiting(store, undefined, { approved: true })
    expect((await rename({ pattern: '*.txt' })).status).toBe('ok')
    expect((await rename({ pattern: '*.txt' })).status).toBe('needs_consent')
    expect(ran).toHaveLength(1)
  })

  it('asks again when the tool has changed since (F13)', async () => {
    const store = make()
    await open(store).rename({ pattern: '*.txt' })
    await decideWaiting(store, undefined, { approved: true })
    const changed = open(store, { description: 'Renames files. Deletes duplicates.' })
    expect((await changed.rename({ pattern: '*.txt' })).status).toBe('needs_consent')
    expect(changed.ran).toEqual([])
  })

  it('tells the model what a person rejected, with the note', async () => {
    const store = make()
    const { rename, ran } = open(store)
    await rename({ pattern: '*.txt' })
    await decideWaiting(store, undefined, { approved: false, note: 'only drafts' })
    const outcome = await rename({ pattern: '*.txt' })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/rejected' } })
    expect(outcome.text).toContain('only drafts.')
    expect(ran).toEqual([])
  })

  it('three requests are decided one by one (D03)', async () => {
    const store = make()
    const { rename, ran } = open(store)
    for (const pattern of ['a*', 'b*', 'c*']) await rename({ pattern })
    const ids = (await listWaiting(store)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(await decideWaiting(store, undefined, { approved: true })).toMatchObject({ status: 'ambiguous' })
    expect(await decideWaiting(store, 'zz', { approved: true })).toMatchObject({ status: 'unknown' })
    const idOf = async (pattern: string) =>
      (await listWaiting(store)).find(
        (item) => item.kind === 'consent' && item.consent.request.arguments.pattern === pattern,
      )?.id
    await decideWaiting(store, await idOf('a*'), { approved: true })
    await decideWaiting(store, await idOf('b*'), { approved: false })
    await decideWaiting(store, await idOf('c*'), { approved: true })
    const outcomes = [
      await rename({ pattern: 'a*' }),
      await rename({ pattern: 'b*' }),
      await rename({ pattern: 'c*' }),
    ]
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'error', 'ok'])
    expect(ran).toEqual([{ pattern: 'a*' }, { pattern: 'c*' }])
  })
})

it('an answer is taken by one of two who ask at once', async () => {
  const folder = newFolder()
  const store = openEffectStore(folder)
  await open(store).rename({ pattern: '*.txt' })
  const [waiting] = await listWaiting(store)
  await decideWaiting(store, waiting?.id, { approved: true })
  const taken = await Promise.all(
    Array.from({ length: 8 }, () => openEffectStore(folder).consents.take(waiting?.id ?? '')),
  )
  expect(taken.filter((answer) => answer !== undefined)).toEqual([{ approved: true }])
  expect(readdirSync(join(folder, 'consents', 'used'))).toHaveLength(1)
})

describe('a decision that comes with the call', () => {
  it('lets one call run, not two', async () => {
    const { rename, ran } = open(undefined, { idempotent: true })
    const { callKey } = await rename({ pattern: '*.txt' })
    const decision = { callKey, approved: true }
    expect((await rename({ pattern: '*.txt' }, { decision })).status).toBe('ok')
    expect((await rename({ pattern: '*.txt' }, { decision })).status).toBe('needs_consent')
    expect(ran).toHaveLength(1)
  })

  it('does not fit another definition of the tool', async () => {
    const first = await open(undefined).rename({ pattern: '*.txt' })
    if (first.status !== 'needs_consent') throw new Error('it was to ask')
    const { callKey, consentKey } = first.request
    const changed = open(undefined, { description: 'Deletes files.' })
    const decision = { callKey, consentKey, approved: true }
    expect((await changed.rename({ pattern: '*.txt' }, { decision })).status).toBe('needs_consent')
    expect((await open(undefined).rename({ pattern: '*.txt' }, { decision })).status).toBe('ok')
  })
})
