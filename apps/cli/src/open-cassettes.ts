import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ChatModel } from '@icm/chat-model'
import { hashJson } from '@icm/json-schema'
import { writeFileAtomically } from '@icm/safe-files'
import { CliError } from './errors.js'
import type { ChosenModel } from './open-model.js'

export interface CassetteWishes {
  readonly record: string | undefined
  readonly replay: string | undefined
  readonly currentFolder: string
  /** Milliseconds between the words of a replay, so that a person can read along. */
  readonly delayMs: number
}

export interface Cassettes {
  /** The model of `--replay`. */
  readonly replayed?: ChosenModel
  /** Wraps a model for `--record`; without that option the model itself. */
  recording(model: ChatModel): ChatModel
}

/**
 * Opens the cassettes that a run names. A recording is on disk after every answer; a cassette that is there already
 * is continued (a workspace is recorded over several gates), and a request recorded again replaces its old answer.
 */
export async function openCassettes(wishes: CassetteWishes): Promise<Cassettes> {
  const { record: recordPath, replay: replayPath } = wishes
  if (recordPath === undefined && replayPath === undefined) return { recording: (model) => model }
  if (recordPath !== undefined && replayPath !== undefined) {
    throw new CliError({
      code: 'cli/usage',
      what: 'Nothing was run: --record and --replay were both given.',
      why: 'A replay has nothing new to record.',
      instead: 'Give one of them.',
    })
  }
  const { parseCassette, record, replay, serializeCassette } = await import('@icm/chat-model/replay')
  const path = resolve(wishes.currentFolder, recordPath ?? replayPath ?? '')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && recordPath !== undefined) return undefined
    throw unreadable(path, error, recordPath !== undefined)
  })
  const found = text === undefined ? undefined : parseCassette(text, { path })
  if (replayPath !== undefined && found !== undefined) {
    const model = replay({ cassette: found, delayMs: wishes.delayMs })
    const description = `${found.model}, replayed from ${replayPath}`
    const replayed = {
      model,
      description,
      why: `${found.exchanges.length} recorded answers; no model runs`,
      warnings: [],
      close: async () => undefined,
    }
    return { replayed, recording: (unchanged) => unchanged }
  }
  const earlier = found?.exchanges ?? []
  return {
    recording(model) {
      const exchanges = [...earlier]
      const kept = new Set(earlier)
      return record(model, async (exchange) => {
        const key = hashJson(exchange.request)
        for (const old of kept) {
          if (hashJson(old.request) !== key) continue
          kept.delete(old)
          exchanges.splice(exchanges.indexOf(old), 1)
        }
        exchanges.push(exchange)
        const { id, contextWindow } = model
        const cassette = {
          version: 1 as const,
          model: id,
          exchanges,
          ...(contextWindow === undefined ? {} : { contextWindow }),
        }
        await writeFileAtomically(path, serializeCassette(cassette))
      })
    },
  }
}

function unreadable(path: string, cause: NodeJS.ErrnoException, isRecording: boolean): CliError {
  return new CliError(
    {
      code: 'cli/usage',
      what: `The cassette ${path} could not be read (${cause.code}).`,
      why: isRecording
        ? 'A recording goes on from what its file holds.'
        : 'A replay answers only from a recorded run.',
      instead: isRecording
        ? 'Name another file with --record.'
        : 'Record one first: icm run --all --record <file>.',
    },
    { cause },
  )
}
