import type { AnyTool } from '@icm/tool-registry'
import { isRight, type ResultRow } from './results.js'

const MOST_PAIRS = 10

export interface Confusion {
  readonly expected: string
  readonly chosen: string
  readonly times: number
  /** The tasks in which it happened. */
  readonly tasks: readonly string[]
}

/** The most frequent wrong choices, at most ten; a request without a call of a tool is none. */
export function findConfusions(rows: readonly ResultRow[]): readonly Confusion[] {
  const pairs = new Map<string, { expected: string; chosen: string; tasks: string[] }>()
  for (const row of rows) {
    if (row.chosen === undefined || isRight(row)) continue
    const name = `${row.expected} ${row.chosen}`
    const pair = pairs.get(name) ?? { expected: row.expected, chosen: row.chosen, tasks: [] }
    pair.tasks.push(row.task)
    pairs.set(name, pair)
  }
  return [...pairs.values()]
    .map(({ tasks, ...pair }) => ({ ...pair, times: tasks.length, tasks: [...new Set(tasks)] }))
    .sort((left, right) => right.times - left.times || (left.expected < right.expected ? -1 : 1))
    .slice(0, MOST_PAIRS)
}

/** The confusions of one model as markdown: the pairs, the texts of both, and what can be done. */
export function formatConfusions(rows: readonly ResultRow[], tools: readonly AnyTool[]): string {
  const confusions = findConfusions(rows)
  const missed = rows.filter(({ chosen }) => chosen === undefined)
  const invented = [...new Set(missed.flatMap(({ unknown }) => unknown ?? []))]
  const [first] = rows
  const head = `# ${first?.model ?? 'No model'}: confusions at ${first?.tools ?? 0} tools\n`
  const none =
    missed.length === 0
      ? ''
      : `\n${missed.length} of ${rows.length} requests ended without a call of one of the tools${invented.length === 0 ? '' : `; names that no tool has: ${invented.slice(0, 10).join(', ')}`}.\n`
  if (confusions.length === 0) return `${head}${none}\nNo tool was taken for another one.\n`
  return `${head}${none}\n${confusions.map((confusion) => formatPair(confusion, tools)).join('\n')}`
}

function formatPair({ expected, chosen, times, tasks }: Confusion, tools: readonly AnyTool[]): string {
  const textOf = (name: string) => tools.find((tool) => tool.name === name)?.description ?? ''
  return [
    `## ${expected} → ${chosen} (${times} ×; ${tasks.join(', ')})`,
    '',
    `- \`${expected}\`: ${textOf(expected)}`,
    `- \`${chosen}\`: ${textOf(chosen)}`,
    '',
    `1. Merge: when one sentence cannot say when to call ${expected} and when ${chosen}, make them one tool with a parameter.`,
    `2. Remove one: \`icm tools stats\` says which is used less; a set without ${chosen} is the quickest test.`,
    '3. Rewrite both, so that the difference stands in the first sentence. These are the first sentences now:',
    `   - ${expected}: "${firstSentence(textOf(expected))}"`,
    `   - ${chosen}: "${firstSentence(textOf(chosen))}"`,
    '',
    'Then measure again: what concerns changed tools is asked anew, the rest is kept.',
    '',
  ].join('\n')
}

function firstSentence(text: string): string {
  return /^.*?[.;:](?=\s)/.exec(text)?.[0] ?? text
}
