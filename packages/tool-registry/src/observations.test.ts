import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { openObservationStore } from './observation-store.js'
import { shapeObservation } from './shape-observation.js'
import type { Tool } from './types.js'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'icm-observations-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Behaviour = Partial<Omit<Tool<{ readonly path?: unknown }>, 'name' | 'input'>>

function registryOf(behaviour: Behaviour, folder = join(root, 'kept'), roots: readonly string[] = []) {
  const tool = defineTool({
    description: 'Reads a file.',
    output: 'trusted',
    blastRadius: () => 0,
    run: () => '',
    ...(behaviour as object),
    name: 'read_file',
    input: { type: 'object', properties: { path: {} } },
  })
  const registry = createToolRegistry({
    tools: [tool],
    session: { trust: 'host' },
    observations: openObservationStore(folder),
    roots,
  })
  return (name: string, args: object) => registry.run({ id: '1', name, arguments: args })
}

const lines = Array.from(
  { length: 40_000 },
  (_, index) => `line ${index + 1} ${'of a long report '.repeat(3)}`,
)
const report = lines.join('\n')

describe('a file of 2 MB', () => {
  it('is shown by head and tail, with what was cut and the call for the middle, which works', async () => {
    expect(report.length).toBeGreaterThan(2_000_000)
    const run = registryOf({ run: () => report, limit: 2_000 })
    const outcome = await run('read_file', {})
    expect(outcome.text.length).toBeLessThanOrEqual(2_000)
    expect(outcome.text.startsWith('line 1 of')).toBe(true)
    expect(outcome.text.trimEnd()).toContain('\nline 40000 of a long report')
    const notice =
      /\[… (\d+) characters removed here\. For this part call read_observation\(path="([^"]+)", from=(\d+), lines=60\)\. …\]/
    const [, removed, path = '', from = ''] = notice.exec(outcome.text) ?? []
    expect(Number(removed)).toBe(outcome.status === 'ok' ? outcome.trimmedCharacters : -1)
    // The line that is named is the first that is not shown.
    expect(outcome.text).toContain(`\nline ${Number(from) - 1} of`)
    expect(outcome.text).not.toContain(`\nline ${from} of`)

    const middle = await run('read_observation', { path, from: 20_000, lines: 3 })
    expect(middle.text).toContain(
      `Lines 20000–20002 of 40000; for more call read_observation(path="${path}", from=20003).`,
    )
    expect(middle.text).toContain('\nline 20000 of')
    expect(await readFile(join(root, 'kept', path), 'utf8')).toBe(report)
    expect(await run('read_observation', { path, from: 20_000, lines: 200 })).toMatchObject({
      trimmedCharacters: 0,
    })
  })

  it('is kept once, and a tool that knows better says its own next call', async () => {
    const run = registryOf({
      run: () => report,
      limit: 1_000,
      nextCall: ({ path }, cut) => `Call read_file(path="${path}", from=${cut.fromLine}).`,
    })
    const first = await run('read_file', { path: 'a.md' })
    const second = await run('read_file', { path: 'b.md' })
    expect(first.text).toMatch(/removed here\. Call read_file\(path="a\.md", from=\d+\)\. …\]/)
    expect(first).toMatchObject({ reference: expect.stringMatching(/^read_file-[0-9a-f]{8}\.txt$/) })
    expect(second).toMatchObject({ reference: first.status === 'ok' ? first.reference : '' })
  })

  it('is shown all the same when it cannot be kept', async () => {
    writeFileSync(join(root, 'taken'), 'a file where the folder is to be')
    const outcome = await registryOf({ run: () => report }, join(root, 'taken'))('read_file', {})
    expect(outcome).toMatchObject({ status: 'ok' })
    expect(outcome.text).toContain('characters removed here. …]')
  })
})

describe('read_observation', () => {
  it.each(['../secret.txt', '/etc/passwd', 'none.txt', 'link.txt', '', '.'])(
    'reads nothing else: %j',
    async (path) => {
      const run = registryOf({ run: () => report })
      await run('read_file', {})
      writeFileSync(join(root, 'secret.txt'), 'secret')
      try {
        symlinkSync(join(root, 'secret.txt'), join(root, 'kept', 'link.txt'))
      } catch {
        // It is there from the case before.
      }
      const outcome = await run('read_observation', { path })
      expect(outcome).toMatchObject({ status: 'error' })
      expect(outcome.text).not.toContain('secret\n')
    },
  )

  it('shows a line that is longer than its limit in part, and says what lies beyond the end', async () => {
    const run = registryOf({ run: () => `start\n${'x'.repeat(50_000)}\nend` })
    const { text } = await run('read_file', {})
    const path = /path="([^"]+)"/.exec(text)?.[1] ?? ''
    const long = await run('read_observation', { path, from: 2 })
    expect(long.text).toContain('Lines 2–2 of 3; for more call read_observation')
    expect(long.text).toContain('characters removed here')
    expect((await run('read_observation', { path, from: 9 })).text).toContain(
      'has 3 lines; line 9 is not among them',
    )
  })
})

it('names the first and last line that is gone, whatever the text (property)', () => {
  const texts = fc.array(fc.constantFrom('a', 'word ', '\n', '\n\n', '🦊', 'line of text\n'), {
    minLength: 80,
    maxLength: 300,
  })
  fc.assert(
    fc.property(texts, fc.integer({ min: 90, max: 250 }), (pieces, limit) => {
      const text = pieces.join('')
      fc.pre(text.length > limit)
      let cut = { characters: 0, fromLine: 0, toLine: 0, lines: 0 }
      const shaped = shapeObservation(text, {
        limit,
        whenTrimmed: (part) => {
          cut = part
          return `L${part.fromLine}`
        },
      })
      expect(shaped.text.length).toBeLessThanOrEqual(limit)
      fc.pre(shaped.text.includes('removed here. L')) // else there was no room for the hint
      const head = shaped.text.slice(0, shaped.text.indexOf('\n[…'))
      const removed = text.slice(head.length, head.length + cut.characters)
      expect(text.startsWith(head)).toBe(true)
      expect(cut.fromLine).toBe(head.split('\n').length)
      expect(cut.toLine).toBe(cut.fromLine + removed.replace(/\n$/, '').split('\n').length - 1)
    }),
    { numRuns: 300 },
  )
})

describe('a missing file', () => {
  it('is answered with what is really there, inside the roots only', async () => {
    const library = join(root, 'library')
    mkdirSync(join(library, 'tea'), { recursive: true })
    for (const name of ['green.md', 'black.md', 'white.md', 'oolong.md', 'mate.md', 'chai.md', 'puerh.md']) {
      writeFileSync(join(library, 'tea', name), name)
    }
    const read = async ({ path }: { readonly path?: unknown }) =>
      readFile(join(library, String(path)), 'utf8')
    const run = registryOf({ run: read }, undefined, [library])
    const outcome = await run('read_file', { path: 'tea/gren.md' })
    expect(outcome.status).toBe('error')
    expect(outcome.text).toBe(
      'tea/gren.md was not found. The folder tea has no "gren.md". It has: black.md, chai.md, green.md, mate.md, oolong.md, ' +
        'puerh.md and 1 more. Did you mean tea/green.md? Else search for the file by its name first.',
    )
    expect((await run('read_file', { path: 'coffee/x.md' })).text).toContain(
      'The folder . has no "coffee". It has: tea/.',
    )
    expect((await run('read_file', { path: '../kept/x.md' })).text).not.toContain('It has')
    expect((await registryOf({ run: read })('read_file', { path: 'tea/gren.md' })).text).not.toContain(
      'green.md',
    )
  })
})
