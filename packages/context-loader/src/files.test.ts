import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContextLoaderError } from './errors.js'
import { memoryFiles } from './memory-files.js'
import { nodeFiles } from './node-files.js'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'icm-files-'))
  await mkdir(join(root, 'b'))
  await writeFile(join(root, 'b/x.md'), 'x')
  await writeFile(join(root, 'a.md'), 'a')
  await writeFile(join(root, 'Z.md'), 'z')
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe.each([
  ['nodeFiles', () => nodeFiles()],
  [
    'memoryFiles',
    () => memoryFiles({ [`${root}/b/x.md`]: 'x', [`${root}/a.md`]: 'a', [`${root}/Z.md`]: 'z' }),
  ],
])('%s', (_, make) => {
  it('tells files, folders and nothing', async () => {
    const files = make()
    expect(await files.kindOf(`${root}/a.md`)).toBe('file')
    expect(await files.kindOf(`${root}/b`)).toBe('folder')
    expect(await files.kindOf(`${root}/c`)).toBeUndefined()
    expect(await files.kindOf(`${root}/a.md/c`)).toBeUndefined()
    expect(await files.kindOf('/')).toBe('folder')
  })

  it('lists by code unit, reads, and knows age and real path', async () => {
    const files = make()
    expect(await files.list(root)).toEqual(['Z.md', 'a.md', 'b'])
    expect(await files.readText(`${root}/b/x.md`)).toBe('x')
    expect(await files.modifiedMs(`${root}/b/x.md`)).toBeGreaterThanOrEqual(0)
    expect(await files.realPath(`${root}/b/x.md`)).toMatch(/\/b\/x\.md$/)
  })

  it.each(['list', 'readText', 'modifiedMs', 'realPath'] as const)(
    '%s throws a typed error for what is not there',
    async (method) => {
      const error = await make()
        [method](`${root}/none`)
        .catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(ContextLoaderError)
      expect(error).toMatchObject({ code: 'context/unreadable', details: { path: `${root}/none` } })
    },
  )
})

describe('nodeFiles', () => {
  it('takes a link to itself, and a name that is too long, for nothing', async () => {
    await symlink(join(root, 'loop'), join(root, 'loop'))
    expect(await nodeFiles().kindOf(join(root, 'loop'))).toBeUndefined()
    expect(await nodeFiles().kindOf(join(root, 'n'.repeat(5000)))).toBeUndefined()
    await rm(join(root, 'loop'))
  })

  it('gives the age in milliseconds and resolves links', async () => {
    await utimes(join(root, 'a.md'), 10, 20)
    expect(await nodeFiles().modifiedMs(join(root, 'a.md'))).toBe(20_000)
    await symlink('a.md', join(root, 'link.md'))
    expect(await nodeFiles().realPath(join(root, 'link.md'))).toMatch(/\/a\.md$/)
    await rm(join(root, 'link.md'))
  })
})
