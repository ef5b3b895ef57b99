import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hashJson } from '@icm/json-schema'
import { writeFileAtomically } from '@icm/safe-files'
import { isFlag, isText, listOf, shapeOf } from './shape.js'
import { readStateFile, type StateFile } from './state-file.js'
import type { StateFolder } from './state-folder.js'

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

const isSavedItem = shapeOf<SavedItem>({
  key: isText,
  promptKey: isText,
  heading: isText,
  text: (value) => typeof value === 'string' && value.trim() !== '',
  truncated: isFlag,
  toolTexts: listOf(isText),
  finishedAt: isText,
})

/** Where the item of a key is kept. */
export function itemPath(folder: StateFolder, stage: string, key: string): string {
  return join(folder.itemsFolder(stage), `${key}.json`)
}

/** The saved item of a key; absent when it was never finished. */
export async function readItem(
  folder: StateFolder,
  stage: string,
  key: string,
): Promise<StateFile<SavedItem>> {
  const file = await readStateFile(itemPath(folder, stage, key), isSavedItem)
  if (file.status !== 'read' || file.value.key === key) return file
  return { status: 'unusable', reason: 'It belongs to another request.' }
}

/** Keeps a finished item; on disk when it resolves. */
export async function saveItem(folder: StateFolder, stage: string, item: SavedItem): Promise<void> {
  await writeFileAtomically(itemPath(folder, stage, item.key), `${JSON.stringify(item, null, 2)}\n`)
}

/** What is saved of a stage's items. */
export interface FinishedItems {
  /** By prompt key. */
  readonly items: ReadonlyMap<string, SavedItem>
  /** Files that cannot be used, with the reason. */
  readonly unusable: readonly { readonly path: string; readonly reason: string }[]
}

/** Every finished item of a stage. */
export async function finishedItems(folder: StateFolder, stage: string): Promise<FinishedItems> {
  const names = await readdir(folder.itemsFolder(stage)).catch(() => [])
  const items = new Map<string, SavedItem>()
  const unusable: { path: string; reason: string }[] = []
  for (const name of names.sort()) {
    const key = /^([0-9a-f]{32})\.json$/.exec(name)?.[1]
    if (key === undefined) continue
    const file = await readItem(folder, stage, key)
    if (file.status === 'read') items.set(file.value.promptKey, file.value)
    else if (file.status === 'unusable')
      unusable.push({ path: itemPath(folder, stage, key), reason: file.reason })
  }
  return { items, unusable }
}

/** The one line about a finished item that later items see: its heading and its first sentence. */
export function carryLine(heading: string, text: string): string {
  const prose =
    text.split(/\r?\n/).find((line) => line.trim() !== '' && !/^\s*(?:#|`{3}|~{3}|\|)/.test(line)) ?? ''
  const sentence = /^.{0,240}?[.!?](?=\s|$)/.exec(prose.trim())?.[0] ?? prose.trim().slice(0, 240)
  return sentence === '' ? heading : `${heading}: ${sentence}`
}
