import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hashJson } from '@icm/json-schema'
import { writeFileAtomically } from '@icm/safe-files'
import { readJson, type StateFolder } from './state-folder.js'

/** A finished for-each item, as it is kept until its request changes. */
export interface SavedItem {
  readonly key: string
  /** Hash of the prompt alone, so that `status` can match items without knowing the model. */
  readonly promptKey: string
  readonly heading: string
  readonly text: string
  /** It hit a token limit. Raising the limit changes the key, so it is written anew then. */
  readonly truncated: boolean
  readonly toolTexts: readonly string[]
  readonly finishedAt: string
}

/**
 * Key of an item: a hash of its whole request. The same module with the same notes, voice, model and options has the
 * same key wherever it stands in the outline, so that deleting or moving a neighbour re-drafts nothing.
 */
export function itemKey(request: {
  readonly system: string
  readonly user: string
  readonly model: string
  readonly options: { readonly [name: string]: unknown }
}): string {
  return hashJson(request).slice(0, 32)
}

/** Hash of what the model is shown for an item. */
export function promptKey(system: string, user: string): string {
  return hashJson([system, user]).slice(0, 32)
}

/** The saved item of a key; undefined when it was never finished. */
export async function readItem(
  folder: StateFolder,
  stage: string,
  key: string,
): Promise<SavedItem | undefined> {
  return (await readJson(join(folder.itemsFolder(stage), `${key}.json`))) as SavedItem | undefined
}

/** Keeps a finished item; on disk when it resolves. */
export async function saveItem(folder: StateFolder, stage: string, item: SavedItem): Promise<void> {
  await writeFileAtomically(
    join(folder.itemsFolder(stage), `${item.key}.json`),
    `${JSON.stringify(item, null, 2)}\n`,
  )
}

/** Every finished item of a stage by its prompt key. */
export async function finishedItems(
  folder: StateFolder,
  stage: string,
): Promise<ReadonlyMap<string, SavedItem>> {
  const names = await readdir(folder.itemsFolder(stage)).catch(() => [])
  const keys = names
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .map((name) => name.slice(0, -'.json'.length))
  const saved = await Promise.all(keys.map((key) => readItem(folder, stage, key)))
  return new Map(saved.flatMap((item) => (item === undefined ? [] : [[item.promptKey, item] as const])))
}

/** The one line about a finished item that later items see: its heading and its first sentence. */
export function carryLine(heading: string, text: string): string {
  const prose =
    text.split(/\r?\n/).find((line) => line.trim() !== '' && !/^\s*(?:#|`{3}|~{3}|\|)/.test(line)) ?? ''
  const sentence = /^.{0,240}?[.!?](?=\s|$)/.exec(prose.trim())?.[0] ?? prose.trim().slice(0, 240)
  return sentence === '' ? heading : `${heading}: ${sentence}`
}
