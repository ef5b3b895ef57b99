import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ggufFault } from './gguf-fault.js'

const folder = mkdtempSync(join(tmpdir(), 'icm-gguf-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['a model', 'GGUF\u0003\0\0\0', undefined],
  ['a web page', '<!doctype html>', 'is no GGUF file (its first four bytes are not "GGUF")'],
  ['an empty file', '', 'is no GGUF file (its first four bytes are not "GGUF")'],
])('%s', async (name, content, fault) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  expect(await ggufFault(path)).toBe(fault)
})

it('a folder, and nothing', async () => {
  expect(await ggufFault(folder)).toBe('is not a file')
  expect(await ggufFault(join(folder, 'none'))).toBe('is not there')
  expect(await ggufFault(join(folder, 'a model', 'below'))).toBe('is not there')
})
