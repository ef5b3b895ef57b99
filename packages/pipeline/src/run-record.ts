import { randomBytes } from 'node:crypto'
import { writeFileAtomically } from '@icm/safe-files'
import { isText, optional, shapeOf } from './shape.js'
import { readStateFile, required } from './state-file.js'
import { isName, type StateFolder } from './state-folder.js'

/** One product on its way through the stages, over any number of commands. */
export interface RunRecord {
  readonly id: string
  readonly startedAt: string
  readonly finishedAt?: string
}

const isRunRecord = shapeOf<RunRecord>({ id: isName, startedAt: isText, finishedAt: optional(isText) })

/** The unfinished run of the workspace, or a new one (then written at once). Throws `pipeline/corrupt-state`. */
export async function openRun(
  folder: StateFolder,
): Promise<{ readonly record: RunRecord; readonly resumed: boolean }> {
  const found = required(folder.runRecord, await readStateFile(folder.runRecord, isRunRecord))
  if (found !== undefined && found.finishedAt === undefined) return { record: found, resumed: true }
  const startedAt = new Date().toISOString()
  const id = `${startedAt.slice(0, 19).replaceAll(':', '').replace('T', '-')}-${randomBytes(2).toString('hex')}`
  const record: RunRecord = { id, startedAt }
  await writeFileAtomically(folder.runRecord, `${JSON.stringify(record, null, 2)}\n`)
  return { record, resumed: false }
}

/** Marks the run as finished: the next command starts a new one. */
export async function finishRun(folder: StateFolder, record: RunRecord): Promise<void> {
  const finished: RunRecord = { ...record, finishedAt: new Date().toISOString() }
  await writeFileAtomically(folder.runRecord, `${JSON.stringify(finished, null, 2)}\n`)
}

/** When the unfinished run began; now when there is none. Throws `pipeline/corrupt-state`. */
export async function runStartedAt(folder: StateFolder): Promise<Date> {
  const found = required(folder.runRecord, await readStateFile(folder.runRecord, isRunRecord))
  return found === undefined || found.finishedAt !== undefined ? new Date() : new Date(found.startedAt)
}
