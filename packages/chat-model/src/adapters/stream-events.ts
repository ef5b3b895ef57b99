import type { ChatEvent } from '../types.js'
import type { TransportResponse } from './http-transport.js'
import type { LineReader } from './line-reader.js'

/** Turns what the lines of one answer say into events; `end` is asked when the server has no more to say. */
export interface AnswerReader<Item> {
  push(item: Item): Iterable<ChatEvent>
  /** What is left, up to the `finish` event; throws when the answer has no proper end. */
  end(): Iterable<ChatEvent>
}

/** An answer that has begun. */
export interface OpenAnswer<Item> {
  readonly response: TransportResponse
  readonly lines: LineReader<Item>
  readonly answer: AnswerReader<Item>
}

/**
 * The events of one answer; nothing is sent before the first `next()`. The connection is kept when the answer is
 * whole, and closed when the loop is left before. One generator and no other between socket and consumer: each
 * more costs as much for every token as reading it.
 */
export async function* streamEvents<Item>(
  open: () => Promise<OpenAnswer<Item>>,
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
        }
      }
    }
    for (const line of lines.end()) {
      for (const event of answer.push(line)) {
        yield event
        if (event.type === 'finish') return
      }
    }
    yield* answer.end()
  } finally {
    response.close()
  }
}
