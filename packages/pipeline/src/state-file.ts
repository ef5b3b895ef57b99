import { readFileSync } from 'node:fs'
import { findObstacle, systemErrorCode } from '@icm/safe-files'
import { PipelineError } from './errors.js'

/** What a file of `.icm/` came to; `reason` says in a sentence why it cannot be used. */
export type StateFile<Value> =
  | { readonly status: 'absent' }
  | { readonly status: 'read'; readonly value: Value }
  | { readonly status: 'unusable'; readonly reason: string }

/** Reads a text file of the history; never throws. */
export async function readStateText(path: string): Promise<StateFile<string>> {
  try {
    // Blocking: these files are small, and a status reads one of each stage. It takes a tenth of the time.
    return { status: 'read', value: readFileSync(path, 'utf8') }
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT') return { status: 'absent' }
    const obstacle = await findObstacle(path)
    return { status: 'unusable', reason: obstacle?.why ?? `The system answered ${code ?? 'with an error'}.` }
  }
}

/** Reads a JSON file of the history and checks its shape; never throws. */
export async function readStateFile<Value>(
  path: string,
  isValue: (value: unknown) => value is Value,
): Promise<StateFile<Value>> {
  const file = await readStateText(path)
  if (file.status !== 'read') return file
  if (file.value.trim() === '') return { status: 'unusable', reason: 'It is empty.' }
  try {
    const value: unknown = JSON.parse(file.value)
    if (isValue(value)) return { status: 'read', value }
    return { status: 'unusable', reason: 'It does not hold what belongs there.' }
  } catch {
    return { status: 'unusable', reason: 'It is not valid JSON.' }
  }
}

/**
 * The value of a file that nothing can replace, undefined when it is absent. Throws `pipeline/corrupt-state` when it
 * cannot be used: that is never a fresh start.
 */
export function required<Value>(path: string, file: StateFile<Value>): Value | undefined {
  if (file.status === 'unusable') throw corruptState(path, file.reason)
  return file.status === 'read' ? file.value : undefined
}

/** The error of a file of the history that cannot be used and cannot be done without. */
export function corruptState(path: string, reason: string): PipelineError {
  return new PipelineError({
    code: 'pipeline/corrupt-state',
    what: `${path} could not be used, and nothing was changed.`,
    why: reason,
    instead: 'Look at it and mend it, or move it away to go on without that part of the history.',
    details: { path },
  })
}
