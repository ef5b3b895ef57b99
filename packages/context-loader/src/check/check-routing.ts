import { nearestName } from '@icm/errors'
import { readDocument } from '../read-document.js'
import { readStageName } from '../stage-names.js'
import type { LoadProblem, Workspace } from '../types.js'
import { shownPath } from '../workspace-paths.js'

interface Mention {
  readonly name: string
  readonly line: number
  readonly column: number
  /** True at the beginning of a list item, a table row or a heading. */
  readonly listed: boolean
}

const stageLike =
  /(?<![\w./-])(?:(?:\.\/)?(?:stages|pipeline)\/)?(\d{1,4}[a-z]?[-_][A-Za-z][\w-]*)(?![\w-]|\.[A-Za-z])/g

/** Nothing but markers stands before the name. */
const lineStart = /^\s*(?:[-*+|]|#{1,6}|\d+[.)])[\s*_`[(|]*$/

/**
 * Compares the stages that the workspace's own CONTEXT.md names with the folders. A file that names fewer than
 * half of them is no list of stages, and nothing is said about it.
 */
export async function checkRouting(workspace: Workspace): Promise<readonly LoadProblem[]> {
  if (!workspace.routingPath) return []
  const document = await readDocument(workspace.files, workspace.routingPath)
  if (document.kind !== 'text') return []
  const path = shownPath(workspace, workspace.routingPath)
  const mentions = mentionsIn(document.text)
  const names = workspace.stages.map((stage) => stage.name)
  const known = mentions.filter((mention) => names.includes(mention.name))
  // Links to one or two stages are no list of them.
  const named = new Set(known.map((mention) => mention.name)).size
  if (named < 2 || named * 2 < names.length) return []
  const folder = shownPath(workspace, workspace.stagesFolder)
  return [
    ...names
      .filter((name) => !known.some((mention) => mention.name === name) && !document.text.includes(name))
      .map((name) => notListed(path, name)),
    ...unknownStages(mentions, names).map((mention) => noFolder(path, mention, names, folder)),
    ...outOfOrder(path, known, names),
  ]
}

function mentionsIn(text: string): Mention[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) =>
    [...line.matchAll(stageLike)].map((match) => ({
      name: match[1] ?? '',
      line: index + 1,
      column: match.index + match[0].indexOf(match[1] ?? '') + 1,
      listed: lineStart.test(line.slice(0, match.index)),
    })),
  )
}

/** Names in lists that look like this workspace's stages (as many digits, the same separator) and have no folder. */
function unknownStages(mentions: readonly Mention[], names: readonly string[]): Mention[] {
  const shapes = new Set(names.map(shapeOf))
  const seen = new Set<string>()
  return mentions.filter((mention) => {
    if (!mention.listed || seen.has(mention.name) || names.includes(mention.name)) return false
    seen.add(mention.name)
    return shapes.has(shapeOf(mention.name))
  })
}

function shapeOf(name: string): string {
  const match = /^(\d+)[a-z]?([-_])/.exec(name)
  return `${match?.[1]?.length ?? 0}${match?.[2] ?? ''}`
}

function notListed(path: string, name: string): LoadProblem {
  return {
    code: 'context/stage-not-listed',
    severity: 'warning',
    what: `"${path}" does not name the stage ${name}.`,
    why: 'It tells the model which stages there are.',
    instead: `Add a line about ${name}.`,
    details: { stage: name },
    path,
    line: 1,
    column: 1,
  }
}

function noFolder(path: string, mention: Mention, names: readonly string[], folder: string): LoadProblem {
  const wanted = readStageName(mention.name)
  const renamed = names.find((name) => {
    const stage = readStageName(name)
    return stage && wanted && stage.number === wanted.number && stage.letter === wanted.letter
  })
  const nearest = renamed ?? nearestName(mention.name, names)
  return {
    code: 'context/listed-stage-missing',
    severity: 'warning',
    what: `"${path}" names the stage ${mention.name}, which has no folder with a contract in "${folder}".`,
    why: 'It tells the model which stages there are.',
    instead: nearest ? `Did you mean "${nearest}"?` : `Remove it, or make the folder "${mention.name}".`,
    details: { stage: mention.name, ...(nearest ? { nearest } : {}) },
    path,
    line: mention.line,
    column: mention.column,
  }
}

/** The order of first mentions in lists and tables against the order in which the stages run. */
function outOfOrder(path: string, known: readonly Mention[], names: readonly string[]): LoadProblem[] {
  const firsts = new Map<string, Mention>()
  for (const mention of known)
    if (mention.listed && !firsts.has(mention.name)) firsts.set(mention.name, mention)
  const order = [...firsts.values()]
  const index = order.findIndex((mention, at) => {
    const before = order[at - 1]
    return before !== undefined && names.indexOf(mention.name) < names.indexOf(before.name)
  })
  const [late, early] = [order[index], order[index - 1]]
  if (!late || !early) return []
  return [
    {
      code: 'context/stage-order',
      severity: 'warning',
      what: `"${path}" lists ${late.name} behind ${early.name}, which runs later.`,
      why: 'Stages run in the order of their numbers.',
      instead: `Move the line about ${late.name} up.`,
      details: { stage: late.name },
      path,
      line: late.line,
      column: late.column,
    },
  ]
}
