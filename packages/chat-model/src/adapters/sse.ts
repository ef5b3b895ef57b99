import { parseJsonLine } from './line-reader.js'

/** One event of an OpenAI-compatible stream. */
export type SseItem = { readonly kind: 'chunk'; readonly value: unknown } | { readonly kind: 'done' }

/**
 * Reads server-sent events whose data is JSON, up to `[DONE]`, line by line. Comments (a ping every few seconds while
 * llama-server reads a long prompt) say nothing; a field `error:`, which older builds of llama-server write
 * instead of data, counts as an event. Data that is not JSON throws `chat/stream-corrupt`.
 */
export function createSseReader(serverName: string): {
  push(line: string): SseItem | undefined
  /** The last event, where its blank line is missing. */
  end(): SseItem | undefined
} {
  let data = ''
  function dispatch(): SseItem | undefined {
    const text = data
    data = ''
    if (text === '[DONE]') return { kind: 'done' }
    return text.trim() === '' ? undefined : { kind: 'chunk', value: parseJsonLine(text, serverName) }
  }
  return {
    push(line) {
      if (line === '') return dispatch()
      if (line.startsWith('data:')) data += (data === '' ? '' : '\n') + fieldValue(line, 5)
      if (line.startsWith('error:')) return { kind: 'chunk', value: { error: errorOf(fieldValue(line, 6)) } }
      return undefined
    },
    end: dispatch,
  }
}

function fieldValue(line: string, start: number): string {
  return line.slice(line[start] === ' ' ? start + 1 : start)
}

function errorOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
