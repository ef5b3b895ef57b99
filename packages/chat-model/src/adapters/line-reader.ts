import { Buffer, isUtf8 } from 'node:buffer'
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
  // Cut at line ends, which are never a part of another character, and only then made text.
  let pending: Uint8Array[] = []
  return {
    *push(chunk) {
      const end = chunk.lastIndexOf(lineFeed)
      if (end === -1) {
        pending.push(chunk)
        return
      }
      const whole = chunk.subarray(0, end)
      const text = decode(pending.length === 0 ? whole : Buffer.concat([...pending, whole]), serverName)
      pending = end + 1 === chunk.length ? [] : [chunk.subarray(end + 1)]
      for (const line of text.split('\n')) yield* parse(withoutReturn(line))
    },
    *end() {
      const last = decode(Buffer.concat(pending), serverName)
      pending = []
      if (last !== '') yield* parse(withoutReturn(last))
    },
  }
}

const lineFeed = 10

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function decode(bytes: Uint8Array, serverName: string): string {
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  throw new ChatModelError({
    code: 'chat/stream-corrupt',
    what: `${serverName} sent bytes that are not UTF-8.`,
    why: 'Skipping them would lose a part of the text.',
    instead: 'Repeat the call; if it happens again, look for a proxy between this program and the server.',
    retryable: true,
  })
}
