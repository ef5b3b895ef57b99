import type { ContextPart, ForEachItem, StageContext } from './types.js'

type Part = Pick<ContextPart, 'layer' | 'label' | 'scope' | 'text'>

/**
 * The version of the template below. Its bytes are an API: recordings, provenance and the prefix cache depend on them,
 * so a change of one byte is a new version.
 */
export const promptTemplateVersion = 1

/** The line that `renderContext` puts between the system text and the user text. */
export const promptSeparator = '========== user =========='

/** A file's text as the template takes it: without a byte order mark, with `\n`, trimmed. */
export function promptText(text: string): string {
  const unmarked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return (unmarked.includes('\r') ? unmarked.replace(/\r\n?/g, '\n') : unmarked).trim()
}

/** System text: layer 0, layer 1, then every layer 3 file below a heading that marks them as constraints. */
export function renderSystem(parts: readonly Part[]): string {
  const references = parts.filter((part) => part.layer === 3 && part.text !== '')
  return joinPieces([
    ...parts.filter((part) => part.layer <= 1).map((part) => part.text),
    references.length > 0 ? '# Reference material (follow these as constraints)' : '',
    ...references.map(renderFile),
  ])
}

/** User text: the contract's Process, then every layer 4 file. */
export function renderUser(parts: readonly Part[]): string {
  return joinPieces([
    ...parts.filter((part) => part.layer === 2).map((part) => part.text),
    ...parts.filter((part) => part.layer === 4).map(renderFile),
  ])
}

/**
 * The whole user text for one item of a For each. The stage's own text comes first and `carry` only grows at its end, so that
 * the requests of a stage share the longest possible prefix; the item comes last.
 */
export function renderItem(context: StageContext, item: ForEachItem, carry: readonly string[] = []): string {
  const word = context.contract.forEach?.item ?? 'item'
  const earlier = carry.map((line) => `- ${line.replace(/\s+/g, ' ').trim()}`)
  return joinPieces([
    context.user.trim(),
    earlier.length > 0 ? `# Written so far, one line for each earlier ${word}` : '',
    earlier.join('\n').trim(),
    `# The ${word} to write now`,
    `## ${item.heading}`.trim(),
    promptText(item.body),
  ])
}

/** The exact system and user text of a stage, with one separating line, as a person reads it. */
export function renderContext(context: Pick<StageContext, 'system' | 'user'>): string {
  return `${joinPieces([context.system.trim(), promptSeparator, context.user.trim()])}\n`
}

function renderFile(part: Part): string {
  const scope = part.scope.kind === 'full' ? '' : `\nScope: ${part.scope.text}`
  return part.text === '' ? '' : `## ${part.label}${scope}\n\n${part.text}`
}

/** Joins what is not empty; the pieces are trimmed already, and trimming a large one again would copy it. */
function joinPieces(pieces: readonly string[]): string {
  return pieces.filter((piece) => piece !== '').join('\n\n')
}
