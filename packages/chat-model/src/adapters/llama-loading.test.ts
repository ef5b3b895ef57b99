import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeTinyGguf } from '../testing/write-tiny-gguf.js'
import { llamaCpp, llamaProblem } from './llama.js'

vi.setConfig({ testTimeout: 120_000 })

let folder: string
let modelPath: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'llama-loading-'))
  modelPath = join(folder, 'tiny.gguf')
  await writeTinyGguf(modelPath, { says: ['T'] })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('stops at once when it is aborted, before and while it loads, and loads again after that', async () => {
  const reason = { why: 'enough' }
  await expect(llamaCpp({ modelPath, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const controller = new AbortController()
  let settled = false
  const loading = llamaCpp({ modelPath, contextSize: 512, signal: controller.signal }).finally(() => {
    settled = true
  })
  const failed = expect(loading).rejects.toBe(reason)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(settled).toBe(false)
  controller.abort(reason)
  await failed
  const model = await llamaCpp({ modelPath, contextSize: 512, signal: new AbortController().signal })
  await model[Symbol.asyncDispose]()
})

it('is no problem on this machine', async () => {
  expect(await llamaProblem()).toBeUndefined()
})

it.each([
  ['GGUF and nothing', 'It ends after 16 bytes, within its header.'],
  [`GGUF\u0003\0\0\0${'\u0001'.repeat(100)}`, 'for which its 108 bytes have no room.'],
])('refuses a header that the engine would believe: %j', async (text, why) => {
  const path = join(folder, 'header.gguf')
  await writeFile(path, text)
  await expect(llamaCpp({ modelPath: path })).rejects.toMatchObject({
    code: 'chat/bad-option',
    why: expect.stringContaining(why),
  })
})

it('says that a link leads nowhere, and that a folder is no file', async () => {
  await expect(llamaCpp({ modelPath: join(folder, 'gone.gguf') })).rejects.toMatchObject({
    code: 'chat/model-missing',
  })
  await expect(llamaCpp({ modelPath: folder })).rejects.toMatchObject({ code: 'chat/model-missing' })
})
