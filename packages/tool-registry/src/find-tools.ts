import { defineTool } from './define-tool.js'
import { describeSignature } from './describe-parameters.js'
import { ToolRegistryError } from './errors.js'
import type { PreparedTool } from './prepare-tool.js'
import { indexTools, type ToolRanking } from './rank-tools.js'
import type { AnyTool } from './types.js'

const FIRST_SENTENCE_CHARACTERS = 200
export const FIND_TOOLS = 'find_tools'

/**
 * The tool with which a model looks for other tools among the visible ones. What it finds is handed to `onFound`, which
 * offers it from then on.
 */
export function findToolsTool(
  visible: ReadonlyMap<string, PreparedTool>,
  limit: number,
  onFound: (names: readonly string[]) => void,
): AnyTool {
  let ranking: ToolRanking | undefined
  const tool = defineTool({
    name: FIND_TOOLS,
    description:
      `Finds tools by what they do and returns up to ${limit} with their parameters, the best first; says so when none fits. ` +
      'Example: {"description": "rename files by a pattern"}. Rejected: a description without a word. ' +
      'Next: call one of the tools found.',
    input: {
      type: 'object',
      properties: { description: { type: 'string', description: 'What the tool is to do, in a few words' } },
      required: ['description'],
    },
    aliases: { description: ['query', 'task', 'text', 'need'] },
    limit: 4_000,
    idempotent: true,
    trust: 'sandbox',
    output: 'trusted',
    blastRadius: () => 0,
    run: ({ description }) => {
      const wanted = String(description).trim()
      if (!/[\p{L}\p{N}]/u.test(wanted)) throw noDescription()
      ranking ??= indexTools([...visible.values()].map(({ spec }) => spec))
      const names = ranking(wanted, limit + 1)
        .filter((name) => name !== FIND_TOOLS)
        .slice(0, limit)
      if (names.length === 0)
        return 'No tool shares a word with this description. Describe it in other words, or go on without.'
      onFound(names)
      return names.flatMap((name) => describeFound(visible.get(name))).join('\n')
    },
  })
  return tool as AnyTool
}

function describeFound(found: PreparedTool | undefined): readonly string[] {
  if (found === undefined) return []
  const { spec, shape } = found
  const [sentence = ''] = /^[\s\S]*?[.!?](?=\s|$)|^[\s\S]*/.exec(spec.description.trim()) ?? []
  const shown =
    sentence.length <= FIRST_SENTENCE_CHARACTERS
      ? sentence
      : `${sentence.slice(0, FIRST_SENTENCE_CHARACTERS - 1).toWellFormed()}…`
  return [`- ${spec.name}(${describeSignature(shape)}): ${shown.replace(/\s+/g, ' ')}`]
}

function noDescription(): ToolRegistryError {
  return new ToolRegistryError({
    code: 'tool/no-description',
    what: 'No tool was looked for.',
    why: 'The description has no word in it.',
    instead: 'Say in a few words what the tool is to do, such as {"description": "rename files"}.',
  })
}
