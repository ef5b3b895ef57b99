import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeStaleTemporaries, writeFileAtomically } from './write-file-atomically.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'icm-write-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('writeFileAtomically', () => {
  it('makes parent folders, replaces content, keeps permissions and leaves nothing beside', async () => {
    const path = join(folder, 'a', 'b', 'c.md')
    await writeFileAtomically(path, 'one')
    chmodSync(path, 0o600)
    await writeFileAtomically(path, 'two')
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['c.md'])
  })

  it('replaces a symbolic link instead of writing through it', async () => {
    const outside = join(folder, 'outside.md')
    writeFileSync(outside, 'untouched')
    symlinkSync(outside, join(folder, 'link.md'))
    await writeFileAtomically(join(folder, 'link.md'), 'new')
    expect(readFileSync(outside, 'utf8')).toBe('untouched')
  })

  it('exclusive: writes a new file, and never replaces one', async () => {
    const path = join(folder, 'exclusive.md')
    await writeFileAtomically(path, 'one', { exclusive: true })
    await expect(writeFileAtomically(path, 'two', { exclusive: true })).rejects.toMatchObject({
      code: 'file/exists',
    })
    expect(readFileSync(path, 'utf8')).toBe('one')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('keeps the old content and leaves no temporary file when the target cannot be replaced', async () => {
    await writeFileAtomically(join(folder, 'd', 'inner.md'), 'x')
    await expect(writeFileAtomically(join(folder, 'd'), 'text')).rejects.toMatchObject({
      code: 'file/in-the-way',
    })
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('shows the old or the new text, never a half, while writers are killed', async () => {
    const path = join(folder, 'killed.txt')
    const program = writeProgram(
      `for (let round = 0; ; round++) await writeFileAtomically(${JSON.stringify(path)}, String(round % 10).repeat(200_000))`,
    )
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, [program], { stdio: 'ignore' })
      // However slow the machine: only a writer that has begun is killed.
      while (!existsSync(path)) await wait(10)
      await wait(50 + round * 37)
      child.kill('SIGKILL')
      await new Promise((done) => child.once('exit', done))
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      expect(text === '' || (text.length === 200_000 && new Set(text).size === 1)).toBe(true)
    }
    expect(readFileSync(path, 'utf8')).not.toBe('')
  })
})

/** A program for a child process: this module compiled to JavaScript (Node 20 runs no TypeScript), then `body`. */
function writeProgram(body: string): string {
  const compile = (name: string) => {
    const source = readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8')
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
    writeFileSync(
      join(folder, `${name}.js`),
      ts.transpileModule(source, { compilerOptions: options }).outputText,
    )
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'errors.js'),
    'export const writeError = (path, cause) => cause\nexport const systemErrorCode = () => undefined',
  )
  writeFileSync(join(folder, 'make-folder.js'), 'export const makeFolder = async () => {}')
  compile('write-file-atomically')
  const program = join(folder, 'program.js')
  writeFileSync(program, `import { writeFileAtomically } from './write-file-atomically.js'\n${body}\n`)
  return program
}

const canMount = process.platform === 'linux' && process.getuid?.() === 0

describe('on a small or read-only file system', () => {
  const mounts: string[] = []
  afterAll(() => {
    for (const mount of mounts) {
      spawnSync('umount', [mount])
      rmSync(mount, { recursive: true })
    }
  })
  function mount(options: string): string {
    const place = mkdtempSync(join(tmpdir(), 'icm-mount-'))
    const result = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place])
    if (result.status !== 0) throw new Error(`mount failed: ${result.stderr}`)
    mounts.push(place)
    return place
  }

  it.skipIf(!canMount)(
    'a full disk: the old file is whole, nothing half-written stays (needs root on Linux)',
    async () => {
      const place = mount('size=64k')
      const path = join(place, 'notes.md')
      await writeFileAtomically(path, 'old')
      await expect(writeFileAtomically(path, 'x'.repeat(200_000))).rejects.toMatchObject({
        code: 'file/disk-full',
      })
      expect(readFileSync(path, 'utf8')).toBe('old')
      expect(readdirSync(place)).toEqual(['notes.md'])
    },
  )

  it.skipIf(!canMount)('a read-only folder: says so (needs root on Linux)', async () => {
    const place = mount('size=64k')
    writeFileSync(join(place, 'notes.md'), 'old')
    spawnSync('mount', ['-o', 'remount,ro', place])
    await expect(writeFileAtomically(join(place, 'notes.md'), 'new')).rejects.toMatchObject({
      code: 'file/read-only',
    })
    await expect(writeFileAtomically(join(place, 'new', 'folder', 'x.md'), 'new')).rejects.toMatchObject({
      code: 'file/read-only',
    })
    expect(readFileSync(join(place, 'notes.md'), 'utf8')).toBe('old')
  })
})

it('removeStaleTemporaries removes what killed writers left, and nothing else', async () => {
  const place = mkdtempSync(join(folder, 'stale-'))
  const dead = `.a.md.${spawnSync(process.execPath, ['-e', '']).pid}-0f.tmp`
  const living = `.a.md.${process.pid}-0.tmp`
  for (const name of [dead, living, '.gitkeep', 'b.tmp', 'a.md']) writeFileSync(join(place, name), '')
  expect(await removeStaleTemporaries(place)).toEqual([dead])
  expect(readdirSync(place).sort()).toEqual([living, '.gitkeep', 'a.md', 'b.tmp'].sort())
  expect(await removeStaleTemporaries(join(place, 'missing'))).toEqual([])
})
