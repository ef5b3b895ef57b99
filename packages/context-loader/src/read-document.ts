import { IcmError } from '@icm/errors'
import { decodeText } from './decode-text.js'
import { sha256 } from './hash.js'
import type { WorkspaceFiles } from './types.js'

/** A text file as read. */
export interface TextDocument {
  readonly kind: 'text'
  readonly text: string
  /** The file's bytes, where they are not the text's UTF-8. */
  readonly bytes?: Uint8Array
  readonly brokenLine?: number
  /** See `hashOf`. */
  hash?: string
}

/** A file as read, or why it could not be. */
export type ReadDocument =
  | TextDocument
  | { readonly kind: 'binary' }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly instead?: string }

/** Reads a file and decodes it; never throws: what the store refuses comes back as `unreadable`. */
export async function readDocument(files: WorkspaceFiles, path: string): Promise<ReadDocument> {
  try {
    const plain = readPlainDocument(files, path)
    if (plain) return plain
    if (!files.readBytes) {
      const text = await files.readText(path)
      return text.includes('\0') ? { kind: 'binary' } : { kind: 'text', text }
    }
    const bytes = await files.readBytes(path)
    const decoded = decodeText(bytes)
    return decoded.kind === 'text' ? { ...decoded, bytes } : decoded
  } catch (error) {
    if (IcmError.isInstance(error)) return { kind: 'unreadable', reason: error.why, instead: error.instead }
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Reads an ordinary text file without waiting; undefined where the store cannot, or where it needs a closer look. */
export function readPlainDocument(files: WorkspaceFiles, path: string): TextDocument | undefined {
  const file = files.readPlainFile?.(path)
  // It was decoded without loss: its UTF-8 is the file.
  return file && { kind: 'text', text: file.text }
}

/** SHA-256 of the file's bytes, in hex; computed at the first call. */
export function hashOf(document: TextDocument): string {
  document.hash ??= sha256(document.bytes ?? document.text)
  return document.hash
}
