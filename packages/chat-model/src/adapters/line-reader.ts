import { Buffer, isUtf8 } from 'node:buffer'
import { ChatModelError } from '../errors.js'

/** Takes the bytes of an answer as they come and gives its finished lines. */
export interface LineReader {
  push(chunk: Uint8Array): readonly string[]
  /** The last line, where no line end follows it. */
  end(): readonly string[]
}

/**
 * Cuts bytes into lines, whatever the borders of the chunks cut through; a line may end with CR LF. Bytes that are not
 * UTF-8 throw `chat/stream-corrupt`: skipping them would lose text while the call seems to succeed (field report A08).
 */
export function createLineReader(serverName: string): LineReader {
  // Cut at line ends, which are never a part of another character, and only then made text.
  let pending: Uint8Array[] = []
  return {
    push(chunk) {
      const end = chunk.lastIndexOf(lineFeed)
      if (end === -1) {
        pending.push(chunk)
        return []
      }
      const whole = chunk.subarray(0, end)
      const text = decode(pending.length === 0 ? whole : Buffer.concat([...pending, whole]), serverName)
      pending = end + 1 === chunk.length ? [] : [chunk.subarray(end + 1)]
      return linesOf(text)
    },
    end() {
      const last = decode(Buffer.concat(pending), serverName)
      pending = []
      return last === '' ? [] : linesOf(last)
    },
  }
}

const lineFeed = 10

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return text.includes('\r') ? lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines
}

function decode(bytes: Uint8Array, serverName: string): string {
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  throw corrupt(`${serverName} sent bytes that are not UTF-8.`)
}

/** The value of one line. Throws `chat/stream-corrupt` when it is not JSON. */
export function parseJsonLine(line: string, serverName: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw corrupt(`${serverName} sent a line that is not JSON: ${JSON.stringify(line.slice(0, 120))}.`, cause)
  }
}

function corrupt(what: string, cause?: unknown): ChatModelError {
  return new ChatModelError(
    {
      code: 'chat/stream-corrupt',
      what,
      why: 'Skipping it would lose a part of the text.',
      instead: 'Repeat the call; if it happens again, look for a proxy between this program and the server.',
      retryable: true,
    },
    { cause },
  )
}
