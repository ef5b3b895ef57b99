import { type ForEachItem, renderItem, type StageContext } from '@icm/context-loader'
import { checkWritable } from '@icm/safe-files'
import { beginWithHeading, isOnlyHeadings } from './begin-with-heading.js'
import { closeFence } from './clean-output.js'
import { mapEvents } from './map-events.js'
import { runTurn, type TurnSettings } from './run-turn.js'
import { carryLine, itemKey, itemPath, promptKey, readItem, type SavedItem, saveItem } from './saved-items.js'
import type { StageEvents } from './stage-run.js'
import type { StateFolder } from './state-folder.js'
import { stateIgnored } from './state-ignored.js'
import { stopAtNextItem } from './stop-at-next-item.js'
import type { StageTools } from './types.js'

/** What a stage's turns produced, before it is written. */
export interface StageText {
  readonly text: string
  /** Everything the model was shown beyond the context: tool results. */
  readonly toolTexts: readonly string[]
  /** What hit a token limit: names of outputs or headings of items. */
  readonly truncated: readonly string[]
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface ForEachRequest {
  readonly folder: StateFolder
  readonly context: StageContext
  readonly settings: TurnSettings
  readonly tools?: StageTools
}

/**
 * One fresh conversation per item, each saved as soon as it is finished: a crash or Ctrl-C loses at most the item in
 * hand. Items whose request is unchanged are taken from the disk. The joined text exists when all of them are there.
 */
export async function* runForEach(request: ForEachRequest): StageEvents<StageText> {
  const { context } = request
  const settings = itemSettings(request.settings)
  const total = context.items.length
  const carried: string[] = []
  const done: SavedItem[] = []
  const sums = { toolCalls: 0, inputTokens: 0, outputTokens: 0 }
  for (const item of context.items) {
    settings.signal?.throwIfAborted()
    const about = { index: item.index, total, heading: item.heading }
    const user = renderItem(context, item, carried)
    const key = itemKey({
      system: context.system,
      user,
      model: settings.model.id,
      options: optionsOf(settings),
    })
    const saved = yield* savedItem(request, item, key)
    if (saved === undefined) yield { type: 'item-start', ...about, item: item.index }
    else yield { type: 'item-reused', ...about, item: item.index }
    const finished = saved ?? (yield* draftItem({ ...request, settings }, item, user, key, sums))
    if (saved === undefined)
      yield { type: 'item-end', ...about, characters: finished.text.length, item: item.index }
    done.push(finished)
    if (context.contract.forEach?.carry === true) carried.push(carryLine(item.heading, finished.text))
  }
  return {
    text: `${done.map((item) => item.text).join('\n\n')}\n`,
    toolTexts: done.flatMap((item) => item.toolTexts),
    truncated: done.filter((item) => item.truncated).map((item) => item.heading),
    ...sums,
  }
}

/** What cannot be saved later must not be asked for first: the place is tried before the turn. */
async function* savedItem(
  { context, folder }: ForEachRequest,
  item: ForEachItem,
  key: string,
): StageEvents<SavedItem | undefined> {
  const file = await readItem(folder, context.stage.name, key)
  if (file.status === 'read') return file.value
  const path = itemPath(folder, context.stage.name, key)
  await checkWritable([path])
  if (file.status === 'unusable') yield { ...stateIgnored(folder, path, file.reason), item: item.index }
  return undefined
}

async function* draftItem(
  { context, folder, settings, tools }: ForEachRequest,
  item: ForEachItem,
  user: string,
  key: string,
  sums: { toolCalls: number; inputTokens: number; outputTokens: number },
): StageEvents<SavedItem> {
  const word = context.contract.forEach?.item ?? 'item'
  const request = {
    messages: [{ role: 'system', text: context.system } as const, { role: 'user', text: user } as const],
    outputName: `the ${word} "${item.heading}"`,
    missingForLater: (text: string) =>
      isOnlyHeadings(text) ? 'it is a heading and nothing else' : undefined,
    task: `## ${item.heading}\n\n${item.body}\n\n${context.contract.process}`,
    ...(tools === undefined ? {} : { tools }),
  }
  const turn = yield* mapEvents(runTurn(request, settings), (event) => ({ ...event, item: item.index }))
  sums.toolCalls += turn.toolCalls
  sums.inputTokens += turn.inputTokens
  sums.outputTokens += turn.outputTokens
  const others = context.items.map(({ heading }) => heading).filter((heading) => heading !== item.heading)
  const { text, wentOnWith } = stopAtNextItem(turn.text, others)
  if (wentOnWith !== undefined) yield { type: 'item-cut', index: item.index, wentOnWith, item: item.index }
  const saved: SavedItem = {
    key,
    promptKey: promptKey(context.system, user),
    heading: item.heading,
    text: beginWithHeading(closeFence(text), { item: word, heading: item.heading }),
    // A token limit reached in another item's text took nothing from this one.
    truncated: turn.truncated && wentOnWith === undefined,
    toolTexts: turn.toolTexts,
    finishedAt: new Date().toISOString(),
  }
  await saveItem(folder, context.stage.name, saved)
  return saved
}

function itemSettings(settings: TurnSettings): TurnSettings {
  const { maxItemTokens = settings.maxOutputTokens } = settings
  return maxItemTokens === undefined ? settings : { ...settings, maxOutputTokens: maxItemTokens }
}

/** The settings that change what a model answers; part of an item's key. */
export function optionsOf(settings: TurnSettings): { readonly [name: string]: number } {
  const { temperature, maxOutputTokens, seed } = settings
  return Object.fromEntries(
    Object.entries({ temperature, maxOutputTokens, seed }).filter(
      (entry): entry is [string, number] => entry[1] !== undefined,
    ),
  )
}
