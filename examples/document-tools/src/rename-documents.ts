import { relative } from 'node:path'
import { nearestName } from '@icm/errors'
import { type AnyTool, defineTool, type ToolContext } from '@icm/tool-registry'
import { z } from 'zod'
import { applyRename, undoFileOf } from './apply-rename.js'
import { DocumentToolsError } from './errors.js'
import { listFiles } from './list-files.js'
import { findConflict, planRename, type RenameInput, type Renaming } from './rename-plan.js'
import type { ToolParts } from './tool-parts.js'

const SHOWN = 5

/** The tool that renames files: how many a call touches depends on its pattern, and so does who must agree. */
export function renameDocumentsTool(parts: ToolParts): AnyTool {
  const { root, stateFolder, remember } = parts
  return defineTool({
    name: 'rename_documents',
    description:
      'Gives files new names in the folder they are in, and returns which; the old names are kept for an undo. ' +
      'A "*" in "to" stands for what the "*" in "pattern" stood for. When a new name is taken, nothing is renamed. ' +
      'Example: {"pattern": "draft-*.txt", "to": "final-*.txt"}. Rejected: moving to another folder, deleting, changing ' +
      'a text. Many files wait for a person. Call find_documents first to see what a pattern matches.',
    input: z.object({
      pattern: z.string().min(1).describe('Old names: one path such as "notes/a.txt", or several as "*.txt"'),
      to: z.string().min(1).describe('New name without a folder, such as "b.txt" or "*.md"'),
      folder: z.string().min(1).optional().describe('Only in this folder and below; default everywhere'),
    }),
    aliases: {
      pattern: ['from', 'source', 'old', 'oldName', 'glob', 'path', 'file'],
      to: ['target', 'new', 'newName', 'name', 'destination', 'replacement'],
      folder: ['directory', 'dir', 'root', 'katalog'],
    },
    limit: 1_500,
    whenTrimmed: 'For all names call recall_result(result="rename_documents").',
    idempotent: false,
    irreversible: false,
    trust: 'host',
    output: 'untrusted',
    timeoutMs: 60_000,
    blastRadius: async (input, context) => (await planRename(root, input, context)).length,
    dryRun: async (input, context) => {
      const plan = await planRename(root, input, context)
      const conflict = await findConflict(root, plan)
      return conflict === undefined ? describePlan(plan) : `Would rename nothing. ${conflict.why}`
    },
    backup: async (input, context) => {
      const plan = await planRename(root, input, context)
      const undoFile = relative(root, undoFileOf(stateFolder, plan))
      return `The old names are written to ${undoFile} before the first file is renamed; undoRename gives them back.`
    },
    run: async (input, context) => {
      const plan = await planRename(root, input, context)
      if (plan.length === 0) throw await noMatch(parts, input, context)
      const conflict = await findConflict(root, plan)
      if (conflict !== undefined) throw conflict
      await applyRename(root, plan, { undoFile: undoFileOf(stateFolder, plan), signal: context.signal })
      const head = `Renamed ${count(plan)}:`
      return remember('rename_documents', [head, ...plan.map(arrow)].join('\n'))
    },
  }) as AnyTool
}

function describePlan(plan: readonly Renaming[]): string {
  const more = plan.length > SHOWN ? ` and ${(plan.length - SHOWN).toLocaleString('en-US')} more` : ''
  return `Would rename ${count(plan)}: ${plan.slice(0, SHOWN).map(arrow).join(', ')}${more}.`
}

function arrow({ from, to }: Renaming): string {
  return `${from} → ${to.slice(to.lastIndexOf('/') + 1)}`
}

function count(plan: readonly Renaming[]): string {
  return `${plan.length.toLocaleString('en-US')} ${plan.length === 1 ? 'file' : 'files'}`
}

async function noMatch(
  { root }: ToolParts,
  { pattern, to, folder = '.' }: RenameInput,
  context: ToolContext,
): Promise<DocumentToolsError> {
  const files = await listFiles(root, folder, context)
  const nearest = nearestName(pattern, files)
  const shown = files.slice(0, SHOWN).join(', ') || 'no file'
  const isThere = (await planRename(root, { pattern, to: 'x', folder }, context)).length > 0
  return new DocumentToolsError({
    code: 'document/no-match',
    what: 'No file was renamed.',
    why: isThere
      ? `What matches ${JSON.stringify(pattern)} is already named ${JSON.stringify(to)}.`
      : `Nothing matches ${JSON.stringify(pattern)}; the first of ${files.length} files are: ${shown}.`,
    instead:
      nearest === undefined
        ? 'Call find_documents to see the names.'
        : `Did you mean pattern=${JSON.stringify(nearest)}?`,
  })
}
