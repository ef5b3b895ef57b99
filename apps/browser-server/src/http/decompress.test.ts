import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decompress } from './decompress.js'

const text = 'Zażółć gęślą jaźń. '.repeat(1_000)
const body = Buffer.from(text)
const limit = 1_000_000

it.each([
  ['', body],
  ['identity', body],
  ['gzip', gzipSync(body)],
  ['x-gzip', gzipSync(body)],
  ['GZIP', gzipSync(body)],
  ['deflate', deflateSync(body)],
  ['deflate', deflateRawSync(body)],
  ['br', brotliCompressSync(body)],
  ['gzip, br', brotliCompressSync(gzipSync(body))],
])('undoes %j', async (encodings, compressed) => {
  const result = await decompress(compressed, encodings, limit)
  expect(result?.cut).toBe(false)
  expect(result?.bytes.toString()).toBe(text)
})

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('stops at the limit of a %s bomb', async (encoding, compress) => {
  const bomb = compress(Buffer.alloc(20_000_000))
  expect(bomb.length).toBeLessThan(100_000)
  const result = await decompress(bomb, encoding, 1_000)
  expect(result).toMatchObject({ cut: true })
  expect(result?.bytes.length).toBe(1_000)
})

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('gives what it has of %s data that ends early', async (encoding, compress) => {
  const noise = Buffer.from(
    Array.from({ length: 50_000 }, (_, index) => (index * index * 31 + index * 7) % 251),
  )
  const compressed = compress(noise)
  const result = await decompress(compressed.subarray(0, compressed.length - 200), encoding, limit)
  expect(result?.bytes.length).toBeGreaterThan(0)
  expect(noise.subarray(0, result?.bytes.length).equals(result?.bytes ?? body)).toBe(true)
})

it('throws for damaged data, and is undefined for an unknown encoding', async () => {
  await expect(decompress(Buffer.from('no gzip at all'), 'gzip', limit)).rejects.toThrow()
  expect(await decompress(body, 'zstd', limit)).toBeUndefined()
})

it('takes an empty body for empty whatever the header says', async () => {
  expect(await decompress(Buffer.alloc(0), 'gzip', limit)).toEqual({ bytes: Buffer.alloc(0), cut: false })
})
