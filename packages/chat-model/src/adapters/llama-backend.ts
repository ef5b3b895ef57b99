import { setTimeout as sleep } from 'node:timers/promises'
import type { Llama } from 'node-llama-cpp'
import { ChatModelError } from '../errors.js'
import type { LlamaModule } from './llama-peer.js'

/** How many of llama.cpp's complaints are kept for an error's text. */
const keptComplaints = 3

const backends = new Map<'auto' | false, Promise<Llama>>()
const complaints: string[] = []

/**
 * The backend that all models of a process share: starting it takes longer than loading a small model. It uses a
 * prebuilt binary only, and throws `chat/peer-missing` where there is none for this machine.
 */
export function startLlamaBackend(module: LlamaModule, gpu: 'auto' | false): Promise<Llama> {
  let backend = backends.get(gpu)
  if (backend === undefined) {
    const logLevel = module.LlamaLogLevel.error
    backend = module
      .getLlama({ build: 'never', gpu, logLevel, logger: keepComplaint })
      .catch((cause: unknown) => {
        backends.delete(gpu)
        throw new ChatModelError(
          {
            code: 'chat/peer-missing',
            what: `The embedded engine was not started: ${cause instanceof Error ? cause.message : String(cause)}.`,
            why: 'node-llama-cpp has no prebuilt binary for this machine, and none is compiled here.',
            instead: 'Use Ollama instead, or install the @node-llama-cpp package of this platform.',
          },
          { cause },
        )
      })
    backends.set(gpu, backend)
  }
  return backend
}

/** An engine error's message with what llama.cpp said before it, which alone names the reason. */
export async function engineMessage(error: unknown): Promise<string> {
  await sleep(0) // complaints come through the event loop, after the error itself
  const message = error instanceof Error ? error.message : String(error)
  return [message, ...complaints.splice(0)].map((text) => text.trim().replace(/\.?$/, '.')).join(' ')
}

function keepComplaint(_level: string, message: string): void {
  complaints.push(message)
  if (complaints.length > keptComplaints) complaints.shift()
}
