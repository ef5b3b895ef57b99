import { type AnyTool, defineTool, pageItems, summarizeFileList, type ToolContext } from '@icm/tool-registry'
import { z } from 'zod'
import { parseGlob } from './glob.js'
import { listFiles } from './list-files.js'
import { searchTexts } from './search-texts.js'
import type { ToolParts } from './tool-parts.js'

const LIMIT = 800
const MOST_ON_A_PAGE = 20
/** What the line above a page and the call for the next one take. */
const FRAME = 250

interface FindInput {
  readonly pattern?: string | undefined
  readonly folder?: string | undefined
  readonly text?: string | undefined
  readonly from?: number | undefined
}

/** The tool that lists files by name, folder and content: few as paths, many as counts. */
export function findDocumentsTool({ root, remember }: ToolParts): AnyTool {
  return defineTool({
    name: 'find_documents',
    description:
      'Returns which files are in the folder: the paths of those that match, or counts per folder and type when they ' +
      'are many; with "text" the first line of each file that contains it. Nothing found is said, not an error. ' +
      'Example: {"pattern": "*.md", "folder": "notes", "text": "budget"}. Rejected: regular expressions, folders outside. ' +
      'Next: read_document with one of the paths.',
    input: z.object({
      pattern: z
        .string()
        .min(1)
        .optional()
        .describe('Names such as "*.md" or "reports/**/*.txt"; default all'),
      folder: z.string().min(1).optional().describe('Only in this folder and below; default everywhere'),
      text: z
        .string()
        .min(1)
        .optional()
        .describe('Only files that contain this text, upper and lower case alike'),
      from: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe('Shows single results from this number on, 20 at a time'),
    }),
    aliases: {
      pattern: ['glob', 'name', 'filename', 'files'],
      folder: ['directory', 'dir', 'path', 'root', 'katalog'],
      text: ['query', 'content', 'contains', 'search'],
      from: ['offset', 'start', 'skip'],
    },
    limit: LIMIT,
    idempotent: true,
    trust: 'sandbox',
    output: 'untrusted',
    timeoutMs: 20_000,
    blastRadius: () => 0,
    dryRun: (input) => `Would list the files that match ${JSON.stringify(input)}.`,
    backup: () => 'Nothing is changed.',
    nextCall: (input) => `For single results call ${callFrom(input, 1)}.`,
    summarize: (text, input) => summarizeFound(text, input),
    run: async (input, context) => {
      const found = await find(root, input, context)
      await remember('find_documents', listing(found, input))
      return input.from === undefined ? listing(found, input) : page(found, input, input.from)
    },
  }) as AnyTool
}

async function find(root: string, input: FindInput, context: ToolContext): Promise<readonly string[]> {
  const glob = input.pattern === undefined ? undefined : parseGlob(input.pattern)
  const files = await listFiles(root, input.folder ?? '.', context)
  const matching = glob === undefined ? files : files.filter((path) => glob.match(path) !== undefined)
  return input.text === undefined ? matching : searchTexts(root, matching, input.text, context)
}

function listing(found: readonly string[], input: FindInput): string {
  if (found.length === 0) return nothing(input)
  return [`${count(found.length)} found:`, ...found].join('\n')
}

function nothing({ pattern, folder, text }: FindInput): string {
  const where = folder === undefined ? 'the folder' : folder
  const named = pattern === undefined ? 'No file' : `No file that matches ${JSON.stringify(pattern)}`
  const holds = text === undefined ? ` is in ${where}` : ` in ${where} contains ${JSON.stringify(text)}`
  return `${named}${holds}. Leave out a condition, or call find_documents() to see what there is.`
}

/** As many results as fit, at most 20. */
function page(found: readonly string[], input: FindInput, from: number): string {
  let room = LIMIT - FRAME
  const fitting = found.slice(from - 1).findIndex((item) => {
    room -= item.length + 1
    return room < 0
  })
  const most = fitting === -1 ? MOST_ON_A_PAGE : Math.max(1, Math.min(MOST_ON_A_PAGE, fitting))
  return pageItems(found, { from, count: most, nextCall: (next) => callFrom(input, next) })
}

function summarizeFound(text: string, input: FindInput): string | undefined {
  if (input.from !== undefined) return undefined
  const items = text.split('\n').slice(1)
  const paths = input.text === undefined ? items : items.map((item) => item.replace(/:\d+: .*$/, ''))
  return summarizeFileList(
    paths,
    `For single results call ${callFrom(input, 1)}, or narrow it by pattern, folder or text.`,
  )
}

function callFrom({ pattern, folder, text }: FindInput, from: number): string {
  const given = Object.entries({ pattern, folder, text }).filter(([, value]) => value !== undefined)
  const words = [...given.map(([name, value]) => `${name}=${JSON.stringify(value)}`), `from=${from}`]
  return `find_documents(${words.join(', ')})`
}

function count(files: number): string {
  return `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`
}
