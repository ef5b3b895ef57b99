import { TextDecoder } from 'node:util'
import { ChatModelError } from '../errors.js'

/**
 * Parses newline-delimited JSON, whatever the borders of the chunks cut through.
 *
 * A line that is not JSON, or bytes that are not UTF-8, throw `chat/stream-corrupt`: skipping them would lose text
 * while the call seems to succeed (field report A08). Empty lines are ignored.
 */
export async function* parseNdjson(
  chunks: AsyncIterable<Uint8Array>,
  serverName: string,
): AsyncGenerator<unknown, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let pending = ''
  for await (const chunk of chunks) {
    const lines = (pending + decode(decoder, chunk, serverName)).split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield parseLine(line, serverName)
  }
  pending += decode(decoder, undefined, serverName)
  if (pending.trim() !== '') yield parseLine(pending, serverName)
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, serverName: string): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw corrupt(`${serverName} sent bytes that are not UTF-8.`, cause)
  }
}

function parseLine(line: string, serverName: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw corrupt(`${serverName} sent a line that is not JSON: ${JSON.stringify(line.slice(0, 120))}.`, cause)
  }
}

function corrupt(what: string, cause: unknown): ChatModelError {
  return new ChatModelError(
    {
      code: 'chat/stream-corrupt',
      what,
      why: 'Each line of the answer is one JSON object; skipping one would lose a part of the text.',
      instead: 'Repeat the call; if it happens again, look for a proxy between this program and the server.',
      retryable: true,
    },
    { cause },
  )
}
