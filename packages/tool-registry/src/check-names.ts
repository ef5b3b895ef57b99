import type { ToolFinding } from './check-tools.js'
import { nearParameters } from './near-names.js'
import { foldName } from './parameter-names.js'
import { toToolName } from './tool-names.js'
import type { AnyTool } from './types.js'

const SHORTENED = new Set(
  (
    'addr auth btn calc cfg cmd conf config cnt ctx curr del desc dest dir doc docs elem env err exec ext fmt func gen idx ' +
    'img info init lang len lib loc mgr misc msg num obj param params pic pkg prev proc prod pwd qty ref reg repo req res ' +
    'resp ret sel sess spec src srv stat stats str svc sys tbl tmp txt upd usr util val var ver'
  ).split(' '),
)
/** Names in capitals that everybody writes so; other words without a vowel are taken for shortened ones. */
const KNOWN = new Set(
  'url uri pdf csv xml html sql http https json yaml md api id ip dns css qr mcp rss smtp ftp png jpg gps'.split(
    ' ',
  ),
)

/** Names that a model confuses, cannot guess, or that become one. */
export function checkNames(tools: readonly AnyTool[]): readonly ToolFinding[] {
  return [...checkClashes(tools), ...checkPairs(tools), ...tools.flatMap(checkForm)]
}

/** Names that are one after the rules that models have for characters, or when spelling is folded. */
function checkClashes(tools: readonly AnyTool[]): readonly ToolFinding[] {
  const owners = new Map<string, Set<string>>()
  for (const tool of tools) {
    for (const name of [tool.name, ...(tool.otherNames ?? []).map(toToolName)]) {
      owners.set(foldName(name), (owners.get(foldName(name)) ?? new Set()).add(tool.name))
    }
  }
  return [...owners.values()]
    .filter((names) => names.size > 1)
    .map((names) => ({
      code: 'name-clash',
      tools: [...names],
      what: `${[...names].join(' and ')} become one name once other characters, case, "-" and "_" are left out.`,
      instead: 'Rename all but one.',
    }))
}

function checkPairs(tools: readonly AnyTool[]): readonly ToolFinding[] {
  return pairsOf(tools).flatMap(([left, right]): readonly ToolFinding[] => {
    const one = foldName(left.name)
    if (one === foldName(right.name) || !differsByLittle(left.name, right.name)) return []
    return [
      {
        code: 'similar-names',
        tools: [left.name, right.name],
        what: `The names ${left.name} and ${right.name} differ by little.`,
        instead: 'Rename one so that its noun or verb tells them apart, or merge the tools.',
      },
    ]
  })
}

/** The same words in another order or number, or a typing error apart; a shared word alone is no likeness. */
function differsByLittle(left: string, right: string): boolean {
  const sameLength = left.split(/[_-]/).length === right.split(/[_-]/).length
  return sameLength && nearParameters(left, [right]).length > 0
}

function checkForm(tool: AnyTool): readonly ToolFinding[] {
  const words = tool.name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .filter(Boolean)
  const shortened = words.filter(
    (word) => SHORTENED.has(word) || (/^[^aeiouy\d]{2,}$/.test(word) && !KNOWN.has(word)),
  )
  const found: ToolFinding[] = []
  if (shortened.length > 0) {
    const what = `${tool.name} has the abbreviation ${shortened.map((word) => `"${word}"`).join(', ')}.`
    found.push({ code: 'abbreviation', tools: [tool.name], what, instead: 'Write the word out.' })
  }
  if (words.length < 2) {
    const what = `${tool.name} is one word.`
    found.push({
      code: 'name-form',
      tools: [tool.name],
      what,
      instead: 'Name it by a verb and a noun, such as read_document.',
    })
  }
  return found
}

export function pairsOf<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((left, index) => items.slice(index + 1).map((right) => [left, right] as const))
}
