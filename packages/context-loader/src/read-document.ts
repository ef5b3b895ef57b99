import { IcmError } from '@icm/errors'
import { decodeText } from './decode-text.js'
import { sha256 } from './hash.js'
import type { WorkspaceFiles } from './types.js'

/** A file as read, or why it could not be. */
export type ReadDocument =
  | {
      readonly kind: 'text'
      readonly text: string
      /** SHA-256 of the bytes, in hex. */
      readonly sha256: string
      readonly brokenLine?: number
    }
  | { readonly kind: 'binary' }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly instead?: string }

/** Reads a file and decodes it; never throws: what the store refuses comes back as `unreadable`. */
export async function readDocument(files: WorkspaceFiles, path: string): Promise<ReadDocument> {
  try {
    if (!files.readBytes) {
      const text = await files.readText(path)
      return text.includes('\0') ? { kind: 'binary' } : { kind: 'text', text, sha256: sha256(text) }
    }
    const bytes = await files.readBytes(path)
    const decoded = decodeText(bytes)
    return decoded.kind === 'text' ? { ...decoded, sha256: sha256(bytes) } : decoded
  } catch (error) {
    if (IcmError.isInstance(error)) return { kind: 'unreadable', reason: error.why, instead: error.instead }
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) }
  }
}
