import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, writeError } from '@icm/safe-files'
import { isCount, isText, optional, shapeOf } from './shape.js'
import type { PipelineEvent } from './types.js'

export interface Journal {
  /** Resolves when the line is on disk. Text deltas are not written: `message-end` holds the whole text. */
  append(event: PipelineEvent): Promise<void>
  close(): Promise<void>
}

/** Events after which the journal is forced to the disk: what must not be repeated after a crash. */
const synced = new Set(['output-written', 'item-end', 'stage-end', 'stage-failed', 'gate', 'run-end'])

/**
 * Opens a run's journal for appending, one JSON event a line. A last line that a crash cut short is closed off, so
 * that the next one stands on its own.
 */
export async function openJournal(path: string): Promise<Journal> {
  await makeFolder(dirname(path))
  try {
    const text = await readFile(path, 'utf8').catch(() => '')
    const file = await open(path, 'a')
    if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n')
    return {
      async append(event) {
        if (event.type === 'agent' && event.event.type === 'model') return
        try {
          await file.appendFile(`${JSON.stringify(event)}\n`)
          if (synced.has(event.type) || isDurableAgentEvent(event)) await file.sync()
        } catch (cause) {
          throw writeError(path, cause)
        }
      },
      close: () => file.close(),
    }
  } catch (cause) {
    throw writeError(path, cause)
  }
}

function isDurableAgentEvent(event: PipelineEvent): boolean {
  return event.type === 'agent' && (event.event.type === 'message-end' || event.event.type === 'tool-end')
}

type EventFrame = Pick<PipelineEvent, 'v' | 'run' | 'time' | 'type' | 'stage' | 'attempt' | 'item'>

const isEvent = shapeOf<EventFrame>({
  v: isCount,
  run: isText,
  time: isText,
  type: isText,
  stage: optional(isText),
  attempt: optional(isCount),
  item: optional(isCount),
})

/** Every whole event of a journal; lines that a crash cut are passed over. No file: no events. */
export async function readJournal(path: string): Promise<readonly PipelineEvent[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    try {
      const event: unknown = JSON.parse(line)
      return isEvent(event) ? [event as PipelineEvent] : []
    } catch {
      return []
    }
  })
}
