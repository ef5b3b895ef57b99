import { looksLikeToolCall } from '@icm/chat-model'

const openingFence = /^(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*$/
const documentLanguages = new Set(['markdown', 'md', 'text', 'txt'])

/**
 * A model's answer as the content of a document: trimmed, and without the one fence that small models put round the
 * whole of it. Fences inside stay; an answer that merely begins and ends with code blocks stays as it is.
 */
export function cleanOutput(answer: string): string {
  const text = answer.trim()
  const lines = text.split(/\r?\n/)
  const [, marker, language = ''] = openingFence.exec(lines[0] ?? '') ?? []
  if (marker === undefined) return text
  const isDocument = documentLanguages.has(language.toLowerCase())
  if (language !== '' && !isDocument) return text
  const closes = lines.length > 1 && isBareFence(lines.at(-1) ?? '', marker)
  const inner = lines.slice(1, closes ? -1 : undefined)
  const { open, opensBare } = scanFences(inner)
  if (open !== undefined || (opensBare && !isDocument)) return text
  // An answer that was cut off has lost its closing fence; a document is then known by its mark or its heading.
  const beginsWithHeading = /^\s*#{1,6}[ \t]/.test(inner.join('\n')) && language === ''
  return closes || isDocument || beginsWithHeading ? inner.join('\n').trim() : text
}

/** Closes a fence that an answer left open; everything that is joined behind it would be code. */
export function closeFence(text: string): string {
  const { open } = scanFences(text.split('\n'))
  return open === undefined ? text : `${text}\n${open}`
}

/** Why a cleaned answer is no output, or undefined when it is one. */
export function outputFault(text: string): string | undefined {
  if (text === '') return 'the answer was empty'
  if (looksLikeToolCall(text) !== undefined) return 'the answer was a tool call, not a document'
  if (/^<\/?tool_response\b/.test(text)) return 'the answer imitated a tool result'
  if (text.length < 400 && refusal.test(text)) return 'the answer was a refusal'
  return undefined
}

const refusal =
  /^(?:i['’]?m sorry|sorry,|i apologi[sz]e|i (?:can(?:not|['’]t)|am (?:not able|unable) to)|as an ai\b|unfortunately, i)/i

function isBareFence(line: string, marker: string): boolean {
  const trimmed = line.trim()
  return trimmed.length >= marker.length && new Set(trimmed).size === 1 && trimmed[0] === marker[0]
}

/** The marker of the fence that is open behind the last line, and whether a fence without a language was opened. */
function scanFences(lines: readonly string[]): { readonly open?: string; readonly opensBare: boolean } {
  let open: string | undefined
  let opensBare = false
  for (const line of lines) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (marker === undefined) continue
    if (open === undefined) {
      opensBare ||= isBareFence(line, marker)
      open = marker
    } else if (isBareFence(line, open)) {
      open = undefined
    }
  }
  return { opensBare, ...(open === undefined ? {} : { open }) }
}
