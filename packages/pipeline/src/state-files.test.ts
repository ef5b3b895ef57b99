import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IcmError } from '@icm/errors'
import { describe, expect, it } from 'vitest'
import { drafts, run, states } from './__fixtures__/run-scripted.js'
import { type TestWorkspace, testWorkspace, threeModules, typesOf } from './__fixtures__/test-workspace.js'
import { readJournal } from './journal.js'
import { readStatus } from './stage-status.js'
import { stateFolder } from './state-folder.js'

const broken: readonly (readonly [string, string | Buffer | 'folder'])[] = [
  ['null', 'null'],
  ['an empty object', '{}'],
  ['a list', '[]'],
  ['a number', '3'],
  ['wrong types', '{"id":1,"startedAt":2,"count":"x","reads":"x","contractSha256":null,"text":7,"key":{}}'],
  ['nothing', ''],
  ['cut off', '{"id": "2026'],
  ['binary', Buffer.from([0, 255, 254, 1, 27])],
  ['a folder', 'folder'],
]

function put(path: string, content: string | Buffer): void {
  rmSync(path, { recursive: true, force: true })
  if (content === 'folder') mkdirSync(path, { recursive: true })
  else writeFileSync(path, content)
}

describe.each(broken)('a state file that holds %s', (_, content) => {
  it.each(['run.json', 'version'])(
    '%s: a typed error that names the file, and nothing is changed',
    async (name) => {
      const place = testWorkspace()
      await run(place, ['1. Goal'])
      const path = join(place.root, '.icm', name)
      // A version that is a plain number is a version.
      if (name === 'version' && content === '3') return
      put(path, content)
      const error = await run(place, []).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ code: 'pipeline/corrupt-state', details: { path } })
      expect(String(error)).toContain(path)
      expect(String(error)).not.toMatch(/\p{Cc}/u)
      rmSync(path, { recursive: true })
      await run(place, [threeModules])
    },
  )

  it('the counter of attempts: named, and counted anew', async () => {
    const place = testWorkspace()
    const path = join(stateFolder(place).stageFolder('01-scope'), 'attempts.json')
    mkdirSync(join(path, '..'), { recursive: true })
    put(path, content)
    if (content === 'folder') {
      await expect(run(place, [])).rejects.toMatchObject({ code: 'file/in-the-way' })
      return
    }
    const { events } = await run(place, ['1. Goal'])
    expect(events.find((event) => event.type === 'state-ignored')).toMatchObject({
      path: '.icm/stages/01-scope/attempts.json',
    })
    expect(events.find((event) => event.type === 'stage-start')).toMatchObject({ attempt: 1 })
  })

  it('provenance: the status is shown with a warning, and the stage can run again', async () => {
    const place = testWorkspace()
    await run(place, ['1. Goal'])
    const path = stateFolder(place).provenance('01-scope')
    put(path, content)
    const [status] = await readStatus(await place.open())
    expect(status).toMatchObject({ state: 'done', staleReasons: [] })
    expect(status?.warnings).toEqual([expect.stringContaining('provenance.json')])
    if (content === 'folder') {
      const redo = run(place, [], { stage: '1', redo: 'reuse-items' })
      await expect(redo).rejects.toMatchObject({ code: 'file/in-the-way' })
      expect(place.read('pipeline/01-scope/output/goals.md')).toBe('1. Goal\n')
    } else await run(place, ['1. Goal again'], { stage: '1', redo: 'reuse-items' })
  })

  it('a finished item: named and written anew, never a blank draft', async () => {
    const place = await draftStopped()
    const folder = stateFolder(place).itemsFolder('03-draft')
    const [name = ''] = readdirSync(folder)
    put(join(folder, name), content)
    const [, , status] = await readStatus(await place.open())
    expect(status).toMatchObject({ state: 'pending', items: { finished: 0, total: 3 } })
    expect(status?.warnings).toEqual([expect.stringContaining(name)])
    if (content === 'folder') {
      await expect(run(place, [])).rejects.toMatchObject({ code: 'file/in-the-way' })
      return
    }
    const { events } = await run(place, drafts)
    expect(events.find((event) => event.type === 'state-ignored')).toMatchObject({
      path: `.icm/stages/03-draft/items/${name}`,
    })
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts.join('\n\n')}\n`)
  })

  it('the lock and the journal: a typed error or none, never a crash', async () => {
    const place = testWorkspace()
    const { result } = await run(place, ['1. Goal'])
    const { lock } = stateFolder(place)
    put(lock, content)
    const held = await run(place, []).catch((caught: unknown) => caught)
    expect(IcmError.isInstance(held) && held.message).toContain(lock)
    rmSync(lock, { recursive: true })
    const journal = stateFolder(place).journal(result.run ?? '')
    put(journal, content)
    expect(await readJournal(journal)).toEqual([])
    if (content === 'folder') {
      await expect(run(place, [])).rejects.toMatchObject({ code: 'file/in-the-way' })
    } else {
      const { events } = await run(place, [threeModules])
      expect(typesOf(await readJournal(journal))).toEqual(typesOf(events))
    }
  })
})

it('an item that belongs to another request, or is blank, is not taken', async () => {
  const place = await draftStopped()
  const folder = stateFolder(place).itemsFolder('03-draft')
  const [name = ''] = readdirSync(folder)
  const saved = JSON.parse(place.read(`.icm/stages/03-draft/items/${name}`))
  for (const change of [{ key: 'f'.repeat(32) }, { text: ' \n' }]) {
    put(join(folder, name), JSON.stringify({ ...saved, ...change }))
    expect((await readStatus(await place.open()))[2]?.items).toEqual({ finished: 0, total: 3 })
  }
  await run(place, drafts)
  expect(await states(place)).toEqual(['done', 'done', 'done'])
})

/** The draft stage stopped behind its first item. */
async function draftStopped(): Promise<TestWorkspace> {
  const place = testWorkspace({
    'pipeline/01-scope/output/goals.md': '1. Goal',
    'pipeline/02-outline/output/outline.md': threeModules,
  })
  const controller = new AbortController()
  const stop = () => {
    controller.abort(new Error('ctrl-c'))
    return 'half'
  }
  await run(place, [drafts[0], stop], { signal: controller.signal }).catch(() => undefined)
  return place
}
