import { stripHidden } from './strip-hidden.js'

// The less-than sign and its look-alikes in front of the delimiter's name, with or without a slash.
const FORGED = /[<\uff1c\ufe64](?=(?:\s*[/\uff0f\\])?\s*untrusted)/gi

/**
 * Puts text of unknown origin between delimiters that it cannot forge: every `<untrusted` or `</untrusted` inside it
 * loses its less-than sign (to `‹`, so the length stays). Deterministic, because the bytes go into prompt caches.
 */
export function fenceUntrusted(text: string, source: string): string {
  const from = source.replace(/[^\p{Letter}\p{Number}_.:/-]/gu, '_').slice(0, 80)
  return `<untrusted from="${from}">\n${neutralise(text)}\n</untrusted>`
}

/** Text that can stand inside the fence: hidden characters removed, delimiters broken. */
function neutralise(text: string): string {
  return stripHidden(text).replace(FORGED, '‹')
}
