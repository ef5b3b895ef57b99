import { type AnyTool, defineTool } from '@icm/tool-registry'
import { z } from 'zod'
import { DocumentToolsError } from './errors.js'
import type { RememberedResult } from './remembered-results.js'
import { linesOf } from './show-lines.js'
import type { ToolParts } from './tool-parts.js'

const LIMIT = 2_000
const LINES_OF_A_PART = 40
const LISTED = 8
/** What stands above the lines. */
const FRAME = 300

/** The tool that gives back what an earlier call returned, whole, though the model saw a part or saw it long ago. */
export function recallResultTool({ results }: ToolParts): AnyTool {
  return defineTool({
    name: 'recall_result',
    description:
      'Returns what an earlier call of these tools gave back, without making the call again: the stored text from a line ' +
      'on, or without "result" the list of what is stored. Example: {"result": "run_program", "from": 41}. ' +
      "A tool's name means its latest result. Rejected: files of the folder (for those read_document), results that were " +
      'never there. Next: the same call with a later "from".',
    input: z.object({
      result: z.string().min(1).optional().describe('A stored name, or a tool such as "run_program"'),
      from: z.number().int().min(1).default(1).describe('First line, from 1'),
      lines: z.number().int().min(1).max(LINES_OF_A_PART).default(LINES_OF_A_PART).describe('How many lines'),
    }),
    aliases: {
      result: ['name', 'reference', 'id', 'path', 'tool', 'wynik'],
      from: ['start', 'offset', 'line'],
      lines: ['count', 'limit'],
    },
    limit: LIMIT,
    whenTrimmed: 'Ask for fewer lines.',
    idempotent: true,
    trust: 'sandbox',
    output: 'untrusted',
    timeoutMs: 10_000,
    blastRadius: () => 0,
    dryRun: ({ result }) => `Would show ${result === undefined ? 'what is stored' : `the result ${result}`}.`,
    backup: () => 'Nothing is changed.',
    run: async ({ result, from, lines }) => {
      const stored = await results.list()
      if (result === undefined) return listStored(stored)
      const found = stored.find(({ name, toolName }) => name === result || toolName === result)
      const text = found && (await results.read(found.name))
      if (found === undefined || text === undefined) throw noResult(result, stored)
      return showPart(found, linesOf(text), { from, lines })
    },
  }) as AnyTool
}

function listStored(stored: readonly RememberedResult[]): string {
  if (stored.length === 0) return 'Nothing is stored: no call has returned anything yet.'
  const more = stored.length > LISTED ? `\nand ${stored.length - LISTED} older ones` : ''
  const shown = stored
    .slice(0, LISTED)
    .map(({ name, bytes, storedAt }) => `${name}, ${bytes} bytes, ${storedAt.toISOString()}`)
  return `${stored.length} stored, the latest first:\n${shown.join('\n')}${more}`
}

/** As many of the lines as fit, so that the registry never has to cut a part out of a part. */
function showPart(
  { name }: RememberedResult,
  all: readonly string[],
  { from, lines }: { readonly from: number; readonly lines: number },
): string {
  if (from > all.length) return `${name} has ${all.length} lines; line ${from} is not among them.`
  let room = LIMIT - FRAME
  const wanted = all.slice(from - 1, from - 1 + lines)
  const fitting = wanted.findIndex((line) => {
    room -= line.length + 1
    return room < 0
  })
  const shown = fitting === -1 ? wanted : wanted.slice(0, Math.max(1, fitting))
  const to = from - 1 + shown.length
  const more = to < all.length ? `; for more call recall_result(result="${name}", from=${to + 1})` : ''
  return [`${name}: lines ${from}–${to} of ${all.length}${more}`, ...shown].join('\n')
}

function noResult(asked: string, stored: readonly RememberedResult[]): DocumentToolsError {
  const tools = [...new Set(stored.map(({ toolName }) => toolName))]
  return new DocumentToolsError({
    code: 'document/no-result',
    what: `${JSON.stringify(asked.slice(0, 80))} was not recalled.`,
    why:
      stored.length === 0
        ? 'No call has returned anything yet.'
        : `There are results of: ${tools.join(', ')}.`,
    instead:
      stored.length === 0
        ? 'Call the tool that gives it.'
        : `Call recall_result(result="${stored[0]?.name}"), or recall_result() for the list.`,
  })
}
