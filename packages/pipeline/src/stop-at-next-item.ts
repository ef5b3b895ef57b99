import { findHeadings } from '@icm/contract-parser'
import { isOnlyHeadings } from './begin-with-heading.js'

/**
 * An item's text up to where the model went on with another item of the list, under that item's own heading. Small
 * models do not stop at the end of their part; what follows would stand in the joined file twice. A text that has nothing
 * of its own in front of such a heading is left as it is.
 */
export function stopAtNextItem(
  text: string,
  otherHeadings: readonly string[],
): { readonly text: string; readonly wentOnWith?: string } {
  const next = findHeadings(text).find((heading) => otherHeadings.includes(heading.text))
  if (next === undefined) return { text }
  const own = text.slice(0, next.start).trimEnd()
  return isOnlyHeadings(own) ? { text } : { text: own, wentOnWith: next.text }
}
