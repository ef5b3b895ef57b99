import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkWorkspace } from './check/check-workspace.js'
import { ContextLoaderError } from './errors.js'
import { loadStage } from './load-stage.js'
import { memoryFiles } from './memory-files.js'
import { nodeFiles } from './node-files.js'
import { snapshotWorkspace } from './observe-files.js'
import { openWorkspace } from './open-workspace.js'
import { readContract } from './read-contract.js'
import type { WorkspaceFiles } from './types.js'

const contract = (inputs: string) =>
  `# S\n\n## Inputs\n${inputs}\n\n## Process\ngo\n\n## Outputs\n- x.md -> output/\n`
const wide = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const bigEndian = (text: string) => Buffer.from(wide(text)).swap16()
const codes = (context: { problems: readonly { severity: string; code: string }[] }) =>
  context.problems.map((problem) => `${problem.severity} ${problem.code}`)

describe('files of other encodings', () => {
  const load = async (input: string | Uint8Array, line = '- input.md') => {
    const files = memoryFiles({ '/w/01-a/CONTEXT.md': contract(line), '/w/01-a/input.md': input })
    return loadStage(await openWorkspace('/w', { files }), 1)
  }

  it.each<[string, string | Uint8Array, string[], string]>([
    ['UTF-16, little end first', wide('über\n'), [], 'über'],
    ['UTF-16, big end first', bigEndian('über\n'), [], 'über'],
    ['UTF-8 with a mark', '\uFEFFüber', [], 'über'],
    ['Latin-1', Buffer.from('a\nüber', 'latin1'), ['warning context/broken-text'], 'a\n\uFFFDber'],
    ['UTF-16 without a mark', Buffer.from('abc', 'utf16le'), ['error context/not-text'], ''],
    ['an image', Buffer.from([0x89, 0x50, 0, 1]), ['error context/not-text'], ''],
    ['nothing', '', ['error context/empty-input'], ''],
    ['white space', ' \r\n\t', ['error context/empty-input'], ''],
  ])('%s', async (_, input, expected, text) => {
    const context = await load(input)
    expect(codes(context)).toEqual(expected)
    expect(context.parts.find((part) => part.label === 'input.md')?.text ?? '').toBe(text)
  })

  it('names the line of the first broken byte', async () => {
    const { problems } = await load(Buffer.from('a\nb\nüber', 'latin1'))
    expect(problems[0]?.what).toContain('first in line 3')
  })

  it('are left out where they are optional, with the reason', async () => {
    expect((await load('a\0', '- input.md (optional)')).dropped).toEqual([
      { label: 'input.md', reason: 'not a text file' },
    ])
    expect(codes(await load('', '- input.md (optional)'))).toEqual([])
  })

  it('a contract in UTF-16 is read; one without a mark is a fault of its stage alone', async () => {
    const files = memoryFiles({
      '/w/01-a/CONTEXT.md': wide(contract('none')),
      '/w/02-b/CONTEXT.md': Buffer.from(contract('none'), 'utf16le'),
    })
    const workspace = await openWorkspace('/w', { files })
    expect(codes(await loadStage(workspace, 1))).toEqual([])
    const second = await loadStage(workspace, 2)
    expect(codes(second)).toEqual(['error context/not-text'])
    expect(second.contract.process).toBe('')
  })
})

describe('a store that refuses', () => {
  const record = {
    '/w/01-a/CONTEXT.md': contract('- input.md'),
    '/w/01-a/input.md': 'x',
    '/w/02-b/CONTEXT.md': contract('- ../01-a/input.md'),
  }
  const refusing = (place: string): WorkspaceFiles => {
    const files = memoryFiles(record)
    const refuse = <Value>(path: string, value: Promise<Value>) => {
      if (!path.startsWith(place)) return value
      return Promise.reject(
        new ContextLoaderError({
          code: 'context/unreadable',
          what: `"${path}" could not be read (EACCES).`,
          why: 'This user has no permission to read it.',
          instead: `Give read permission on "${path}".`,
        }),
      )
    }
    return {
      kindOf: (path) => refuse(path, files.kindOf(path)),
      list: (path) => refuse(path, files.list(path)),
      readText: (path) => refuse(path, files.readText(path)),
      modifiedMs: (path) => refuse(path, files.modifiedMs(path)),
      realPath: (path) => refuse(path, files.realPath(path)),
    }
  }

  it('a stage folder: the other stages are there, and the stage carries the error', async () => {
    const workspace = await openWorkspace('/w', { files: refusing('/w/02-b') })
    expect(workspace.stages.map((stage) => stage.name)).toEqual(['01-a', '02-b'])
    expect(workspace.problems).toMatchObject([
      { severity: 'error', code: 'context/unreadable-file', path: '02-b' },
    ])
    expect(codes(await loadStage(workspace, 1))).toEqual([])
    expect(codes(await loadStage(workspace, 2))).toEqual(['error context/unreadable-file'])
    expect((await checkWorkspace(workspace)).stages).toHaveLength(2)
  })

  it('a contract: the same', async () => {
    const workspace = await openWorkspace('/w', { files: refusing('/w/02-b/CONTEXT.md') })
    const context = await loadStage(workspace, 2)
    expect(context.problems).toMatchObject([
      {
        code: 'context/unreadable-file',
        path: '02-b/CONTEXT.md',
        instead: 'Give read permission on "/w/02-b/CONTEXT.md".',
      },
    ])
  })

  it('an input: an error of the line that names it', async () => {
    const workspace = await openWorkspace('/w', { files: refusing('/w/01-a/input.md') })
    expect((await loadStage(workspace, 1)).problems).toMatchObject([
      { code: 'context/unreadable-file', path: '01-a/CONTEXT.md', line: 4 },
    ])
  })
})

describe('on the disk', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'icm-robust-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const old = new Date('2020-01-01')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }

  it('a folder named CONTEXT.md is a stage that cannot start', async () => {
    write('01-a/CONTEXT.md', contract('none'))
    mkdirSync(join(root, '02-b/CONTEXT.md'), { recursive: true })
    const workspace = await openWorkspace(root)
    expect(codes(await loadStage(workspace, 2))).toEqual(['error context/unreadable-file'])
    expect((await loadStage(workspace, 2)).problems[0]?.why).toBe('It is a folder, not a file.')
    expect(codes(await loadStage(workspace, 1))).toEqual([])
  })

  it('parses a contract that was just written once, and again when its text changes', async () => {
    write('01-a/CONTEXT.md', contract('- input.md'))
    const workspace = await openWorkspace(root)
    const first = await readContract(workspace, 1)
    expect(await readContract(workspace, 1)).toBe(first)
    write('01-a/CONTEXT.md', contract('- other.md'))
    expect((await readContract(workspace, 1)).contract.inputs[0]?.path).toBe('other.md')
  })

  it('reads an unchanged stage once, and sees every edit at the next call', async () => {
    write('01-a/CONTEXT.md', contract('- input.md\n- more.md (optional)'))
    write('01-a/input.md', 'one')
    let reads = 0
    const disk = nodeFiles()
    // The stamp of a change is the same as on the disk, but for the clock: these files are old.
    const files: WorkspaceFiles = {
      ...disk,
      stampOf: async (path) => {
        const stamp = await disk.stampOf?.(path)
        return stamp && { ...stamp, changedMs: stamp.modifiedMs }
      },
      readBytes: async (path) => {
        reads++
        return (await disk.readBytes?.(path)) ?? new Uint8Array()
      },
    }
    const age = (path: string, seconds: number) =>
      utimesSync(join(root, path), old, new Date(old.getTime() + seconds * 1000))
    for (const path of ['01-a/CONTEXT.md', '01-a/input.md', '01-a', '.']) age(path, 0)
    const workspace = await openWorkspace(root, { files })
    const first = await loadStage(workspace, 1)
    expect(reads).toBe(2)
    expect(await loadStage(workspace, 1)).toBe(first)
    expect(reads).toBe(2)
    expect(Object.isFrozen(first)).toBe(true)

    write('01-a/input.md', 'two')
    age('01-a/input.md', 1)
    expect((await loadStage(workspace, 1)).user).toContain('two')
    write('01-a/more.md', 'more')
    age('01-a/more.md', 0)
    expect((await loadStage(workspace, 1)).user).toContain('more')
    rmSync(join(root, '01-a/input.md'))
    expect(codes(await loadStage(workspace, 1))).toEqual(['error context/missing-input'])
    const counter = (text: string) => text.length
    write('01-a/input.md', 'three')
    age('01-a/input.md', 2)
    expect((await loadStage(workspace, 1, { countTokens: counter })).tokens).toBeGreaterThan(10)
  })

  it('a file that has just been written is read again: a clock may not show the next change', async () => {
    write('01-a/CONTEXT.md', contract('- input.md'))
    write('01-a/input.md', 'one')
    const workspace = await openWorkspace(root)
    expect((await loadStage(workspace, 1)).user).toContain('one')
    write('01-a/input.md', 'two')
    expect((await loadStage(workspace, 1)).user).toContain('two')
  })

  it('a snapshot looks at everything once', async () => {
    write('01-a/CONTEXT.md', contract('- ../rules.md\n- gone.md'))
    write('02-b/CONTEXT.md', contract('- ../rules.md'))
    write('rules.md', 'rules')
    const disk = nodeFiles()
    const reads: string[] = []
    const files: WorkspaceFiles = {
      ...disk,
      readBytes: async (path) => {
        reads.push(path)
        return (await disk.readBytes?.(path)) ?? new Uint8Array()
      },
    }
    const snapshot = snapshotWorkspace(await openWorkspace(root, { files }))
    await loadStage(snapshot, 1)
    write('rules.md', 'other')
    expect((await loadStage(snapshot, 2)).system).toContain('rules')
    expect(new Set(reads).size).toBe(reads.length)
  })
})

describe('options', () => {
  const files = memoryFiles({
    '/w/01-a/CONTEXT.md': contract('- a.md\n- b.md (optional)\n- c.md (optional)'),
    '/w/01-a/a.md': 'a '.repeat(100),
    '/w/01-a/b.md': 'b '.repeat(100),
    '/w/01-a/c.md': 'c '.repeat(100),
  })
  const countTokens = (text: string) => text.split(/\s+/).filter((word) => word !== '').length

  it('a budget leaves optional inputs out, the last one first, and is an error when that is not enough', async () => {
    const workspace = await openWorkspace('/w', { files })
    const whole = await loadStage(workspace, 1, { countTokens })
    expect(whole.tokens).toBeGreaterThan(300)
    const fitted = await loadStage(workspace, 1, { countTokens, budget: 250 })
    expect(fitted.parts.slice(1).map((part) => part.label)).toEqual(['a.md', 'b.md'])
    expect(fitted.dropped).toEqual([{ label: 'c.md', reason: 'optional, and over the budget of 250 tokens' }])
    expect(fitted.tokens).toBeLessThanOrEqual(250)
    const small = await loadStage(workspace, 1, { countTokens, budget: 50 })
    expect(codes(small)).toEqual(['error context/over-budget'])
    expect(small.problems[0]?.why).toContain('a.md 100')
  })

  it('an abort ends the load with its own reason', async () => {
    const reason = new Error('enough')
    const workspace = await openWorkspace('/w', { files })
    await expect(loadStage(workspace, 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
