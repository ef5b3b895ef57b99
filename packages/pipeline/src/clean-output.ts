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
  if (!areFencesBalanced(inner, isDocument)) return text
  // An answer that was cut off has lost its closing fence; only a fence marked as a document is then taken off.
  return closes || isDocument ? inner.join('\n').trim() : text
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

function areFencesBalanced(lines: readonly string[], bareOpeningsAllowed: boolean): boolean {
  let open: string | undefined
  for (const line of lines) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (marker === undefined) continue
    if (open === undefined) {
      if (!bareOpeningsAllowed && isBareFence(line, marker)) return false
      open = marker
    } else if (isBareFence(line, open)) {
      open = undefined
    }
  }
  return open === undefined
}
