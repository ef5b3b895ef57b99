import { type ForEach, findHeadings } from '@icm/contract-parser'
import { unreadableProblem } from './document-problems.js'
import { splitItems } from './for-each.js'
import type { HintOptions } from './input-hint.js'
import { inputProblem, missingInput, placeOf } from './input-problems.js'
import { readDocument } from './read-document.js'
import { resolveInput } from './resolve-input.js'
import type { ForEachItem, LoadProblem, StageRef, Workspace } from './types.js'
import { shownPath } from './workspace-paths.js'

/** The items of a For each, or the problem why there are none. */
export interface LoadedItems {
  readonly items: readonly ForEachItem[]
  readonly skipped: readonly string[]
  readonly problems: readonly LoadProblem[]
  /** Absolute path of the source, when it exists. */
  readonly path?: string
}

/** Reads the source of a For each and cuts it into items; the source itself is no input of the stage. */
export async function loadItems(
  workspace: Workspace,
  stage: StageRef,
  forEach: ForEach,
  options: HintOptions = {},
): Promise<LoadedItems> {
  const none = (problem: LoadProblem | undefined): LoadedItems => ({
    items: [],
    skipped: [],
    problems: problem ? [problem] : [],
  })
  const resolved = await resolveInput(workspace, stage, forEach.path)
  const file =
    resolved.status === 'found' ? resolved.matches.find((match) => match.kind === 'file') : undefined
  if (resolved.status === 'escapes' || resolved.status === 'ambiguous') {
    return none(inputProblem(workspace, stage, forEach, resolved))
  }
  if (!file) return none(await missingInput(workspace, stage, forEach, resolved.lookedIn, options))
  const document = await readDocument(workspace.files, file.path)
  if (document.kind !== 'text') {
    const place = placeOf(workspace, stage, forEach)
    const shown = shownPath(workspace, file.path)
    return none(unreadableProblem(`The For each source of stage ${stage.name}`, shown, document, place))
  }
  const { text } = document
  const { items, skipped } = splitItems(text, forEach.item)
  return items.length === 0
    ? { ...none(noItems(workspace, stage, forEach, file.path, text)), path: file.path }
    : { items, skipped, problems: [], path: file.path }
}

function noItems(
  workspace: Workspace,
  stage: StageRef,
  forEach: ForEach,
  path: string,
  text: string,
): LoadProblem {
  const headings = findHeadings(text).map((heading) => `${'#'.repeat(heading.level)} ${heading.text}`)
  const shown = headings.length > 5 ? `${headings.slice(0, 5).join(', ')}, ...` : headings.join(', ')
  return {
    code: 'context/no-items',
    severity: 'error',
    what: `"${forEach.path}" has no ${forEach.item}: no level-2 heading outside code and lists, and no numbered list.`,
    why: headings.length === 0 ? 'The file has no headings.' : `Its headings are: ${shown}.`,
    instead: `Give every ${forEach.item} in ${shownPath(workspace, path)} a heading such as "## ${capitalised(forEach.item)} 1: title".`,
    details: { path: forEach.path, headings },
    path: shownPath(workspace, stage.contractPath),
    line: forEach.line,
    column: forEach.column,
  }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
