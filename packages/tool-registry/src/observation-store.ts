import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resolveContained, SafeFilesError, systemErrorCode, writeFileAtomically } from '@icm/safe-files'

/** Keeps the whole text of observations that a model sees in part. */
export interface ObservationStore {
  /** Keeps a text and returns the name under which `read` finds it; equal texts of a tool get one name. */
  save(toolName: string, text: string): Promise<string>
  /** The text, undefined when nothing has that name. */
  read(reference: string): Promise<string | undefined>
}

/**
 * Keeps observations as files of a folder, `<tool>-<hash>.txt`. Give each session a folder of its own: whoever may read
 * observations may read all of the folder.
 */
export function openObservationStore(folder: string): ObservationStore {
  return {
    save: async (toolName, text) => {
      const name = `${toolName}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.txt`
      await writeFileAtomically(join(folder, name), text)
      return name
    },
    read: async (reference) => {
      try {
        return await readFile(await resolveContained(folder, reference), 'utf8')
      } catch (error) {
        if (SafeFilesError.isInstance(error) && error.code.startsWith('path/')) return undefined
        if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return undefined
        throw error
      }
    },
  }
}
