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
    const header = Buffer.alloc(headerBytes)
    const { bytesRead } = await file.read(header, 0, headerBytes, 0)
    const fault = headerFault(header.subarray(0, bytesRead), found.size)
    if (fault !== undefined) throw notLoaded(path, fault)
  } finally {
    await file.close()
  }
}

/** `GGUF`, the version (32 bits), the numbers of tensors and of metadata entries (64 bits each); little-endian. */
const headerBytes = 24
/** A tensor's or an entry's length of its name alone; the real ones are longer. */
const leastEntryBytes = 8

/** The engine's reader believes these numbers: with a file that breaks off among them it reads for ever. */
function headerFault(header: Buffer, fileBytes: number): string | undefined {
  if (header.toString('latin1', 0, 4) !== 'GGUF')
    return 'It does not begin with the bytes "GGUF", so it is no GGUF file.'
  if (header.length < headerBytes) return `It ends after ${header.length} bytes, within its header.`
  const entries = header.readBigUInt64LE(8) + header.readBigUInt64LE(16)
  if (entries * BigInt(leastEntryBytes) <= BigInt(fileBytes)) return undefined
  return `Its header promises ${entries} tensors and entries, for which its ${fileBytes} bytes have no room.`
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
