import type { ChatEvent } from '../types.js'
import type { TransportResponse } from './http-transport.js'
import type { LineReader } from './line-reader.js'

/** Turns the lines of one answer into events, the last of which is `finish`. */
export interface AnswerReader {
  push(line: string): readonly ChatEvent[]
  /** When no line is left: what is left to say, or a throw when the answer has no proper end. */
  end(): readonly ChatEvent[]
}

/** An answer that has begun. */
export interface OpenAnswer {
  readonly response: TransportResponse
  readonly lines: LineReader
  readonly answer: AnswerReader
}

/**
 * The events of one answer; nothing is sent before the first `next()`. The connection is kept when the answer is
 * whole, and closed when the loop is left before. One generator and no other between socket and consumer: each
 * more costs as much for every token as reading it.
 */
export async function* streamEvents(
  open: () => Promise<OpenAnswer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, void> {
  const { response, lines, answer } = await open()
  try {
    for await (const chunk of response.chunks) {
      for (const line of lines.push(chunk)) {
        for (const event of answer.push(line)) {
          if (event.type === 'finish') {
            response.release()
            return yield event
          }
          yield event
          if (signal?.aborted) throw signal.reason // what the same piece still holds is not read any more
        }
      }
    }
    for (const line of lines.end()) {
      for (const event of answer.push(line)) {
        yield event
        if (event.type === 'finish') return
      }
    }
    for (const event of answer.end()) yield event
  } finally {
    response.close()
  }
}
