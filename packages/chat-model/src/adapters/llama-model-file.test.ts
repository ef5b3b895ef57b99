import * as module from 'node-llama-cpp'
import { expect, it } from 'vitest'
import { loadError } from './llama-model-file.js'

const at = { module, modelPath: 'models/large.gguf', contextSize: 8192 }

it('knows a model or window that is too large for the memory', async () => {
  const refused = new module.InsufficientMemoryError(
    'A context size of 8192 is too large for the available RAM',
  )
  const error = await loadError(refused, at)
  expect(error.code).toBe('chat/out-of-memory')
  expect(error.cause).toBe(refused)
  expect(error.instead).toContain('Set contextSize to 4096')
  const unable = await loadError(new Error('unable to allocate CPU buffer'), at)
  expect(unable.code).toBe('chat/out-of-memory')
})

it('takes everything else for a damaged file', async () => {
  const error = await loadError(new Error('Failed to load model'), at)
  expect(error).toMatchObject({ code: 'chat/bad-option', details: { modelPath: 'models/large.gguf' } })
  expect(error.message).toContain('The engine said: Failed to load model.')
})
