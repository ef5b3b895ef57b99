import { type LineReader, readLines } from './line-reader.js'
import { parseJsonLine } from './ndjson.js'

/** One event of an OpenAI-compatible stream. */
export type SseItem = { readonly kind: 'chunk'; readonly value: unknown } | { readonly kind: 'done' }

/**
 * Reads server-sent events whose data is JSON, up to `[DONE]`. Comments (a ping every few seconds while llama-server
 * reads a long prompt) say nothing; a field `error:`, which older builds of llama-server write instead of data, counts
 * as an event. Data that is not JSON throws `chat/stream-corrupt`.
 */
export function readSse(serverName: string): LineReader<SseItem> {
  let data: string[] = []
  function* dispatch(): Generator<SseItem, void, void> {
    const text = data.join('\n')
    data = []
    if (text === '[DONE]') yield { kind: 'done' }
    else if (text.trim() !== '') yield { kind: 'chunk', value: parseJsonLine(text, serverName) }
  }
  const lines = readLines<SseItem>(serverName, function* parse(line) {
    if (line === '') return yield* dispatch()
    const [, field = '', value = ''] = /^([^:]*):? ?([\s\S]*)$/.exec(line) ?? []
    if (field === 'data') data.push(value)
    if (field === 'error') yield { kind: 'chunk', value: { error: errorOf(value) } }
  })
  return {
    push: lines.push,
    *end() {
      yield* lines.end()
      yield* dispatch()
    },
  }
}

function errorOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
