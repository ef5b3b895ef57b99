import { TextDecoder } from 'node:util'
import { ChatModelError } from '../errors.js'

/** Takes the bytes of an answer as they come and gives what its finished lines mean. */
export interface LineReader<Item> {
  push(chunk: Uint8Array): Iterable<Item>
  /** What the last line means, where no line end follows it. */
  end(): Iterable<Item>
}

/**
 * Cuts bytes into lines, whatever the borders of the chunks cut through; a line may end with CR LF. Bytes that
 * are not UTF-8 throw `chat/stream-corrupt`.
 */
export function readLines<Item>(
  serverName: string,
  parse: (line: string) => Iterable<Item>,
): LineReader<Item> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let pending = ''
  return {
    *push(chunk) {
      const lines = (pending + decode(decoder, chunk, serverName)).split('\n')
      pending = lines.pop() ?? ''
      for (const line of lines) yield* parse(withoutReturn(line))
    },
    *end() {
      const last = pending + decode(decoder, undefined, serverName)
      pending = ''
      if (last !== '') yield* parse(withoutReturn(last))
    },
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, serverName: string): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw new ChatModelError(
      {
        code: 'chat/stream-corrupt',
        what: `${serverName} sent bytes that are not UTF-8.`,
        why: 'Skipping them would lose a part of the text.',
        instead:
          'Repeat the call; if it happens again, look for a proxy between this program and the server.',
        retryable: true,
      },
      { cause },
    )
  }
}
