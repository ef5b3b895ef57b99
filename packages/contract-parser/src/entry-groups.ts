import { layerOf } from './layer-marks.js'
import { isOptional } from './optional-marks.js'

/** What a line above entries says about all of them: `### Layer 3`, `**Optional:**`, `Never load:`. */
export interface Group {
  readonly layer: 3 | 4 | undefined
  readonly optional: boolean
  readonly never: boolean
}

/** What a heading, a bold line or a line that ends with a colon says about the entries below it. */
export function groupOf(text: string): Group | undefined {
  const title =
    /^#{3,6}\s+(.+)$/.exec(text)?.[1] ?? /^\*\*(.+?)\*\*:?$/.exec(text)?.[1] ?? /^(.+):$/.exec(text)?.[1]
  if (title === undefined || title.length > 80) return undefined
  const words = title.replace(/\*\*|:$/g, '').trim()
  return {
    layer: layerOf(words, false),
    optional: isOptional(words) || conditionalGroup.test(words),
    never: never.test(words),
  }
}

const conditionalGroup =
  /^optional\b|\b(?:if|when|as|where) (?:it is |they are )?(?:needed|required|relevant|necessary)\b|\bif (?:the|a|your) .*\b(?:asks?|needs?|wants?|mentions?)\b|\bon demand\b/i
/** What is named so that nobody reads or writes it. */
export const never = /^[\s*_(]*(?:never|do not|don['’]t|not to be|out of scope|ignore|excluded?)\b/i
