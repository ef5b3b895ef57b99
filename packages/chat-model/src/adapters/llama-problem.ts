import { ChatModelError } from '../errors.js'
import { startLlamaBackend } from './llama-backend.js'
import { importLlama } from './llama-peer.js'

/**
 * Why the embedded engine cannot start on this machine (`chat/peer-missing`), or undefined when it can. Starts it,
 * because an installed peer may still have no binary for this platform, or one that does not load; a model that is
 * loaded later uses the same start.
 */
export async function llamaProblem(): Promise<ChatModelError | undefined> {
  try {
    await startLlamaBackend(await importLlama(), false)
    return undefined
  } catch (error) {
    if (ChatModelError.isInstance(error)) return error as ChatModelError
    throw error
  }
}
