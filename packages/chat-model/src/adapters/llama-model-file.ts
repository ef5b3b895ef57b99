import { open, stat } from 'node:fs/promises'
import { ChatModelError } from '../errors.js'
import { engineMessage } from './llama-backend.js'
import type { LlamaModule } from './llama-peer.js'

/** Throws `chat/model-missing` where no file is, `chat/bad-option` where it is no GGUF file or cannot be read. */
export async function checkModelFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isFile()) {
    throw new ChatModelError({
      code: 'chat/model-missing',
      what: `The model was not loaded: ${path} is ${found === undefined ? 'not there' : 'not a file'}.`,
      why: 'The embedded engine reads one GGUF file.',
      instead: 'Give the path of a GGUF file.',
      details: { modelPath: path },
    })
  }
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new ChatModelError(
      {
        code: 'chat/bad-option',
        what: `The model was not loaded: ${path} cannot be read (${cause.code}).`,
        why: 'The embedded engine reads one GGUF file.',
        instead: 'Give yourself the right to read that file.',
        details: { modelPath: path },
      },
      { cause },
    )
  })
  try {
    const magic = Buffer.alloc(4)
    await file.read(magic, 0, 4, 0)
    if (magic.toString('latin1') !== 'GGUF') {
      throw notLoaded(path, 'It does not begin with the bytes "GGUF", so it is no GGUF file.')
    }
  } finally {
    await file.close()
  }
}

/** Says why an engine did not load a file: too large for the free memory, or damaged. */
export async function loadError(
  cause: unknown,
  options: { module: LlamaModule; modelPath: string; contextSize: number },
): Promise<ChatModelError> {
  const { module, modelPath, contextSize } = options
  const message = await engineMessage(cause)
  const tooLarge = cause instanceof module.InsufficientMemoryError
  if (!tooLarge && !/\b(memory|allocate|allocation)\b/i.test(message)) {
    return notLoaded(modelPath, `The engine said: ${message}`, cause)
  }
  return new ChatModelError(
    {
      code: 'chat/out-of-memory',
      what: `The model ${modelPath} was not loaded with a window of ${contextSize} tokens: ${message}`,
      why: 'The weights and the window of a model have to fit into free memory together.',
      instead: `Set contextSize to ${Math.max(256, Math.floor(contextSize / 2))}, use a smaller model, or end other programs.`,
      details: { modelPath, contextSize },
    },
    { cause },
  )
}

function notLoaded(modelPath: string, why: string, cause?: unknown): ChatModelError {
  return new ChatModelError(
    {
      code: 'chat/bad-option',
      what: `The model was not loaded from ${modelPath}.`,
      why,
      instead: 'Fetch the file again, and compare its size and checksum with those that its publisher names.',
      details: { modelPath },
    },
    { cause },
  )
}
