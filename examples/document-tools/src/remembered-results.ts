import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemErrorCode } from '@icm/safe-files'
import { type ObservationStore, openObservationStore } from '@icm/tool-registry'

/** One earlier result. */
export interface RememberedResult {
  readonly name: string
  readonly toolName: string
  readonly storedAt: Date
  readonly bytes: number
}

/** The whole results of earlier calls, on disk, so that they outlive the window and the process. */
export interface RememberedResults extends ObservationStore {
  /** The latest first. */
  list(): Promise<readonly RememberedResult[]>
}

/** Adds to the registry's observation store what it lacks for a memory: a list of what is there. */
export function openRememberedResults(folder: string): RememberedResults {
  return {
    ...openObservationStore(folder),
    list: async () => {
      const results = await Promise.all((await namesIn(folder)).map((name) => describe(folder, name)))
      return results
        .filter((result) => result !== undefined)
        .sort(
          (left, right) =>
            right.storedAt.getTime() - left.storedAt.getTime() || (left.name < right.name ? -1 : 1),
        )
    },
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  }
}

async function describe(folder: string, name: string): Promise<RememberedResult | undefined> {
  const toolName = /^(.+)-[0-9a-f]{8}\.txt$/.exec(name)?.[1]
  if (toolName === undefined) return undefined
  const { mtime, size } = await stat(join(folder, name))
  return { name, toolName, storedAt: mtime, bytes: size }
}
