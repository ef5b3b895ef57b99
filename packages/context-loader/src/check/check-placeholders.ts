import { scanLines } from '@icm/contract-parser'
import { readDocument } from '../read-document.js'
import type { LoadProblem, Workspace } from '../types.js'
import { relativePath, shownPath } from '../workspace-paths.js'
import type { StageCheck } from './check-stage.js'

const placeholder = /\{\{[^{}\n]{1,60}\}\}/g

/**
 * `{{X}}` marks what the setup of a template fills in. Looks for what is left of it in the layer files, the contracts and
 * the references that are no templates themselves, outside code; one problem for each file.
 */
export async function checkPlaceholders(
  workspace: Workspace,
  checks: readonly StageCheck[],
): Promise<readonly LoadProblem[]> {
  const paths = new Set([workspace.identityPath, workspace.routingPath].filter((path) => path !== undefined))
  for (const { stage, context } of checks) {
    paths.add(stage.contractPath)
    for (const part of context.parts) {
      if (part.layer === 3 && !isTemplate(relativePath(workspace.root, part.path))) paths.add(part.path)
    }
  }
  const problems: LoadProblem[] = []
  for (const path of paths) {
    const document = await readDocument(workspace.files, path)
    if (document.kind === 'text') problems.push(...leftIn(document.text, shownPath(workspace, path)))
  }
  return problems
}

function leftIn(text: string, path: string): LoadProblem[] {
  if (!text.includes('{{')) return []
  const found = new Map<string, { line: number; column: number }>()
  for (const line of scanLines(text).lines) {
    if (line.kind !== 'text') continue
    for (const match of withoutProseCode(line.text).matchAll(placeholder)) {
      if (!found.has(match[0])) found.set(match[0], { line: line.number, column: match.index + 1 })
    }
  }
  const names = [...found.keys()]
  const [first] = found.values()
  if (!first) return []
  const shown = names.length > 6 ? `${names.slice(0, 6).join(', ')}, ...` : names.join(', ')
  return [
    {
      code: 'context/placeholder-left',
      severity: 'warning',
      what: `${names.length === 1 ? 'A placeholder was' : `${names.length} placeholders were`} left: ${shown}.`,
      why: 'They are filled in when a workspace is set up; a model would read them as they are.',
      instead: `Replace ${names[0]}${names.length > 1 ? ' and the others' : ''} in "${path}" by the real text.`,
      details: { placeholders: names },
      path,
      ...first,
    },
  ]
}

/** A code span of nothing but placeholders talks about them; one with a path around it is still to be filled in. */
function withoutProseCode(text: string): string {
  return text.replace(proseCode, (span) => ' '.repeat(span.length))
}

const proseCode = /`\s*\{\{[^{}\n]*\}\}(?:[\s.,…|/]*\{\{[^{}\n]*\}\})*\s*`/g

/** What is made to be copied and filled in keeps its placeholders. */
function isTemplate(path: string): boolean {
  return /(?:^|\/)templates?\/|template[^/]*$/i.test(path)
}
