import { ChatModelError } from '../errors.js'
import { type LineReader, readLines } from './line-reader.js'

/**
 * Parses newline-delimited JSON. A line that is not JSON throws `chat/stream-corrupt`: skipping it would lose text while
 * the call seems to succeed (field report A08). Empty lines are ignored.
 */
export function readNdjson(serverName: string): LineReader<unknown> {
  return readLines(serverName, function* parse(line) {
    if (line.trim() !== '') yield parseJsonLine(line, serverName)
  })
}

/** The value of one line; `line` is what stands in the message when it is none. */
export function parseJsonLine(line: string, serverName: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new ChatModelError(
      {
        code: 'chat/stream-corrupt',
        what: `${serverName} sent a line that is not JSON: ${JSON.stringify(line.slice(0, 120))}.`,
        why: 'Each line of the answer is one JSON object; skipping one would lose a part of the text.',
        instead:
          'Repeat the call; if it happens again, look for a proxy between this program and the server.',
        retryable: true,
      },
      { cause },
    )
  }
}
