import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemErrorCode } from '@icm/safe-files'
import { ToolRegistryError } from './errors.js'

/**
 * Reads one JSON record; undefined when there is none. Throws `tool/bad-record` for anything else: a record that cannot
 * be read is no proof that nothing happened (field report D06).
 */
export async function readRecord<Kind>(
  path: string,
  isRecord: (value: unknown) => value is Kind,
): Promise<Kind | undefined> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw badRecord(path, error)
  }
  if (!isRecord(value)) throw badRecord(path)
  return value
}

/** Every record of a folder; none when the folder is not there. Throws like `readRecord`. */
export async function listRecords<Kind>(
  folder: string,
  isRecord: (value: unknown) => value is Kind,
): Promise<readonly Kind[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw badRecord(folder, error)
  })
  const wanted = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  const records = await Promise.all(wanted.map((name) => readRecord(join(folder, name), isRecord)))
  return records.filter((record) => record !== undefined)
}

const VERSION = 1

/** A record as it stands in its file. Unknown fields stay where they are, and a newer version is not understood. */
export function recordText(record: object): string {
  return `${JSON.stringify({ v: VERSION, ...record }, undefined, 2)}\n`
}

/** Whether a record was written by this version. */
export function isOwnVersion(record: Record<string, unknown>): boolean {
  return record.v === VERSION
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function badRecord(path: string, cause?: unknown): ToolRegistryError {
  return new ToolRegistryError(
    {
      code: 'tool/bad-record',
      what: `${path} was not read.`,
      why: 'It is to say what a tool has done already, and cannot be understood.',
      instead: 'Look at the file. If you know what happened, delete it; else restore a copy.',
      details: { path },
    },
    { cause },
  )
}
