import { ChatModelError } from '../errors.js'

/** The module `node-llama-cpp`, of which this package only knows the types until a model is loaded. */
export type LlamaModule = typeof import('node-llama-cpp')

/**
 * Imports the optional peer. Throws `chat/peer-missing` with the line that installs it; a peer that is there but
 * fails to start keeps its own error as the cause.
 */
export async function importLlama(): Promise<LlamaModule> {
  try {
    return await import('node-llama-cpp')
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    throw new ChatModelError(
      {
        code: 'chat/peer-missing',
        what: `The embedded engine was not started: node-llama-cpp ${missing ? 'is not installed' : 'failed to load'}.`,
        why: missing
          ? 'It is an optional peer of @icm/chat-model, because its binaries are large.'
          : `It said: ${firstLine(cause)}.`,
        instead: missing
          ? 'Run: npm install node-llama-cpp@^3.21.1'
          : 'Mend what it names, install it again, or use Ollama.',
      },
      { cause },
    )
  }
}

function firstLine(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return (message.split('\n', 1)[0] ?? '').replace(/\.$/, '')
}
