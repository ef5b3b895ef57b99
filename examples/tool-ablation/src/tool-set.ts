import { createHash } from 'node:crypto'
import { openDocumentTools } from '@icm/document-tools'
import type { AnyTool } from '@icm/tool-registry'
import { decoys } from './decoys/index.js'

/** The five tools that the tasks are for. The folder is never opened: calls are only noted. */
export const realTools: readonly AnyTool[] = openDocumentTools({ root: '.' })

/** All tools that a set may have. */
export const mostTools = realTools.length + decoys.length
export const fewestTools = realTools.length

/**
 * `count` tools: the real ones among decoys. Which decoys, and the order of all, follow from `repeat`: a model must not
 * look good because the right tools come first. Equal numbers give equal sets.
 */
export function toolSet(count: number, repeat: number): readonly AnyTool[] {
  const chosen = shuffled(decoys, `decoys ${repeat}`).slice(0, count - realTools.length)
  return shuffled([...realTools, ...chosen], `order ${count} ${repeat}`)
}

function shuffled(tools: readonly AnyTool[], seed: string): readonly AnyTool[] {
  const place = ({ name }: AnyTool) => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  return [...tools].sort((left, right) => (place(left) < place(right) ? -1 : 1))
}
