import { ChatModelError } from '../errors.js'

/**
 * Brings `keepAlive` into a form that Ollama accepts: a number of seconds, or a duration with a unit.
 * `'300'` → 300, `'-1'` → -1 (forever), `'30m'` stays; the server refuses digits in quotes (field report A12).
 * Throws `chat/bad-option` for anything else.
 */
export function normalizeKeepAlive(keepAlive: string | number): string | number {
  if (typeof keepAlive === 'number' && Number.isFinite(keepAlive)) return keepAlive
  const text = String(keepAlive).trim()
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (/^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return text
  throw new ChatModelError({
    code: 'chat/bad-option',
    what: `The option keepAlive has the value ${JSON.stringify(keepAlive)}.`,
    why: 'It is a number of seconds or a duration with units; -1 keeps the model loaded for ever.',
    instead: 'Write it like 1800, "30m" or -1.',
  })
}
