import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInside, resolveContained } from './contained-path.js'

let base: string
let root: string
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'icm-contained-')))
  root = join(base, 'workspace')
  mkdirSync(join(root, 'stage'), { recursive: true })
  mkdirSync(join(base, 'workspace-evil'))
  writeFileSync(join(base, 'secret.md'), 'secret')
  writeFileSync(join(root, 'stage', 'notes.md'), 'notes')
  symlinkSync(join(base, 'secret.md'), join(root, 'link-out.md'))
  symlinkSync(base, join(root, 'folder-out'))
  symlinkSync(join(root, 'stage'), join(root, 'folder-in'))
  symlinkSync(join(base, 'not-there'), join(root, 'dangling'))
  symlinkSync('loop', join(root, 'loop'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('resolveContained', () => {
  it.each([
    ['stage/notes.md', 'stage/notes.md'],
    ['stage/../stage/notes.md', 'stage/notes.md'],
    ['folder-in/notes.md', 'stage/notes.md'],
    ['stage/output/new/file.md', 'stage/output/new/file.md'],
    ['.', ''],
  ])('%s lies inside', async (path, real) => {
    expect(await resolveContained(root, path)).toBe(join(root, real))
  })

  it.each([
    '../secret.md',
    '../workspace-evil/x',
    'stage/../../secret.md',
    'link-out.md',
    'folder-out/secret.md',
    'folder-out/new-file.md',
    'dangling',
    'dangling/x.md',
    'loop',
    '/etc/passwd',
  ])('%s is refused', async (path) => {
    await expect(resolveContained(root, path)).rejects.toMatchObject({ code: 'path/escapes-root' })
  })

  it('an absolute path inside is accepted, a NUL byte is not', async () => {
    expect(await resolveContained(root, join(root, 'stage'))).toBe(join(root, 'stage'))
    await expect(resolveContained(root, 'a\0b')).rejects.toMatchObject({ code: 'path/invalid' })
  })
})

it('isInside compares whole segments', () => {
  expect(isInside('/a/b', '/a/b')).toBe(true)
  expect(isInside('/a/b', '/a/b/..c')).toBe(true)
  expect(isInside('/a/b', '/a/bc')).toBe(false)
  expect(isInside('/a/b', '/a')).toBe(false)
})
