import { type AnyTool, defineTool } from '@icm/tool-registry'
import { z } from 'zod'
import { DocumentToolsError } from './errors.js'
import { readTextFile } from './read-text-file.js'
import { linesOf, showLines } from './show-lines.js'
import type { ToolParts } from './tool-parts.js'

const LINES_OF_A_PART = 60
const MOST_LINES = 400

/** The tool that gives the text of one file: whole, or head and tail with the call for the middle. */
export function readDocumentTool({ root, remember }: ToolParts): AnyTool {
  return defineTool({
    name: 'read_document',
    description:
      'Returns the text of one file of the folder, under a line that says how many lines it has. A long file comes ' +
      'as its beginning and its end, with the call for the part between. ' +
      'Example: {"path": "notes/plan.md", "from": 41, "lines": 60}. Rejected: folders, pictures and archives, paths ' +
      'outside the folder, line numbers behind the end. When you do not know the exact path, call find_documents first.',
    input: z.object({
      path: z.string().min(1).describe('Path of the file in the folder, such as "notes/plan.md"'),
      from: z.number().int().min(1).optional().describe('First line, from 1; default the first'),
      lines: z.number().int().min(1).max(MOST_LINES).optional().describe('How many lines; default all'),
    }),
    aliases: {
      path: ['file', 'filename', 'filepath', 'document', 'plik'],
      from: ['start', 'offset', 'line', 'startLine'],
      lines: ['count', 'limit', 'maxLines'],
    },
    limit: 4_000,
    idempotent: true,
    trust: 'sandbox',
    output: 'untrusted',
    timeoutMs: 20_000,
    blastRadius: () => 0,
    dryRun: ({ path }) => `Would read ${path}.`,
    backup: () => 'Nothing is changed.',
    // The title is line 1 of what was shown.
    nextCall: ({ path, from = 1 }, cut) =>
      `For this part call read_document(path=${JSON.stringify(path)}, from=${from - 1 + Math.max(1, cut.fromLine - 1)}, lines=${Math.min(cut.lines, LINES_OF_A_PART)}).`,
    run: async ({ path, from, lines }) => {
      const all = linesOf(await readTextFile(root, path))
      if (from !== undefined && from > all.length) throw noSuchLine(path, from, all.length)
      const count = lines ?? (from === undefined ? undefined : LINES_OF_A_PART)
      return remember('read_document', showLines(path, all, { from: from ?? 1, lines: count }))
    },
  }) as AnyTool
}

function noSuchLine(path: string, from: number, count: number): DocumentToolsError {
  const start = Math.max(1, count - LINES_OF_A_PART + 1)
  return new DocumentToolsError({
    code: 'document/no-such-line',
    what: `${path} was not read from line ${from}.`,
    why: `It has ${count} lines.`,
    instead: `For its end call read_document(path=${JSON.stringify(path)}, from=${start}).`,
  })
}
