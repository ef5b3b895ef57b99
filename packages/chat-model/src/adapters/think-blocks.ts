/** A piece of an answer, sorted. */
export interface AnswerPiece {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

/**
 * Takes the thinking blocks off the head of a streamed answer: `<think>…</think>` (or `<thinking>`), several in
 * a row, also one that is never closed. Imported models write them into the content (field report B11). Further
 * down the same tags are text. White space round the blocks goes too.
 */
export function createThinkSplitter(): { push(text: string): AnswerPiece[]; end(): AnswerPiece[] } {
  let state: 'head' | 'reasoning' | 'text' = 'head'
  let seenBlock = false
  let pending = ''

  function step(isLast: boolean): AnswerPiece | undefined {
    if (state === 'text') return take('text', pending.length)
    if (state === 'head') {
      const trimmed = pending.trimStart()
      const tag = openTags.find((candidate) => trimmed.startsWith(candidate))
      if (tag !== undefined) {
        pending = trimmed.slice(tag.length)
        state = 'reasoning'
        seenBlock = true
        return step(isLast)
      }
      if (!isLast && openTags.some((candidate) => candidate.startsWith(trimmed))) return undefined
      if (seenBlock) pending = trimmed
      state = 'text'
      return step(isLast)
    }
    const close = closeTag.exec(pending)
    if (close === null)
      return take('reasoning', isLast ? pending.length : Math.max(0, pending.length - longestCloseTag))
    const piece = take('reasoning', close.index)
    pending = pending.slice(close[0].length)
    state = 'head'
    return piece ?? step(isLast)
  }

  function take(kind: AnswerPiece['kind'], length: number): AnswerPiece | undefined {
    const text = pending.slice(0, length)
    pending = pending.slice(length)
    return text === '' ? undefined : { kind, text }
  }

  function drain(isLast: boolean): AnswerPiece[] {
    const pieces: AnswerPiece[] = []
    for (let piece = step(isLast); piece !== undefined; piece = step(isLast)) pieces.push(piece)
    return pieces
  }

  return {
    push(text) {
      if (state === 'text' && pending === '') return text === '' ? [] : [{ kind: 'text', text }]
      pending += text
      return drain(false)
    },
    end: () => drain(true),
  }
}

const openTags = ['<think>', '<thinking>']
const closeTag = /<\/think(?:ing)?>/
const longestCloseTag = '</thinking>'.length - 1
