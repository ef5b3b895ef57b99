import { defineTool } from './define-tool.js'
import { ToolRegistryError } from './errors.js'
import type { ObservationStore } from './observation-store.js'
import type { AnyTool } from './types.js'

const MOST_LINES = 200
const LIMIT = 4_000
export const READ_OBSERVATION = 'read_observation'

/** The tool with which a model reads what trimming took from an earlier result. */
export function readObservationTool(observations: ObservationStore): AnyTool {
  const tool = defineTool({
    name: READ_OBSERVATION,
    description:
      'Returns lines of an earlier result that was shortened; its notice names the path. Says how many lines there are and ' +
      `which follow. Example: {"path": "list_files-1a2b3c4d.txt", "from": 41, "lines": 60}. Rejected: other files, more than ${MOST_LINES} lines. ` +
      'Next: read on from the line that is named.',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The path in the notice, copied exactly' },
        from: { type: 'integer', minimum: 1, default: 1, description: 'First line, from 1' },
        lines: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_LINES,
          default: 60,
          description: 'How many lines',
        },
      },
      required: ['path'],
    },
    aliases: {
      path: ['file', 'reference', 'observation'],
      from: ['start', 'offset', 'line'],
      lines: ['count', 'limit'],
    },
    limit: LIMIT,
    idempotent: true,
    trust: 'sandbox',
    // The text was written by whatever tool it came from.
    output: 'untrusted',
    blastRadius: () => 0,
    run: async ({ path, from, lines }) => {
      const text = await observations.read(String(path))
      if (text === undefined) throw unknownObservation(String(path))
      return renderLines(text, { path: String(path), from: Number(from), lines: Number(lines) })
    },
  })
  return tool as AnyTool
}

interface Part {
  readonly path: string
  readonly from: number
  readonly lines: number
}

/** As many of the lines as fit, with what there is in all and how to read on; a line that is too long alone is cut. */
function renderLines(text: string, { path, from, lines }: Part): string {
  const all = text.split('\n')
  if (from > all.length) return `${path} has ${all.length} lines; line ${from} is not among them.`
  const frame = `Lines ${from}–${all.length} of ${all.length}; for more call read_observation(path="${path}", from=${all.length}).`
  const shown: string[] = []
  let room = LIMIT - frame.length - 1
  for (const line of all.slice(from - 1, from - 1 + lines)) {
    room -= line.length + 1
    if (room < 0 && shown.length > 0) break
    shown.push(line)
    if (room < 0) break
  }
  const to = from + shown.length - 1
  const more = to < all.length ? `; for more call read_observation(path="${path}", from=${to + 1})` : ''
  return `Lines ${from}–${to} of ${all.length}${more}.\n${shown.join('\n')}`
}

function unknownObservation(path: string): ToolRegistryError {
  return new ToolRegistryError({
    code: 'tool/no-observation',
    what: `${JSON.stringify(path.slice(0, 80))} was not read.`,
    why: 'No shortened result has that path.',
    instead:
      'Copy the path from the notice of a shortened result, or call the tool again that gave the result.',
  })
}
