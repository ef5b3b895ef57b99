import type { Block, TextBlock } from './blocks.js'
import { readEntry } from './entry-text.js'
import { excerpt, type ProblemList } from './problems.js'
import type { ForEach, Position } from './types.js'

/** Reads `<item> in <path>` and its options `carry` and `parallel`; undefined, with a problem, when unreadable. */
export function parseForEach(
  blocks: readonly Block[],
  place: Position,
  problems: ProblemList,
): ForEach | undefined {
  const lines = blocks.filter((block): block is TextBlock => block.type !== 'table')
  const [first, ...options] = lines
  const match = /^(?:each\s+|every\s+)?(.+?)\s+(?:in|of|from)\s+(\S.*)$/i.exec(
    first?.text.replace(/\*\*/g, '') ?? '',
  )
  const path = match?.[2] ? readEntry(match[2]).paths[0] : undefined
  if (!first || !match?.[1] || !path || path.external) {
    problems.add('error', 'contract/for-each', first ?? place, {
      what: `The For each section ${first ? `"${excerpt(first.text)}" was not understood` : 'was empty'}.`,
      why: 'It names what one turn works on, and the file whose level-2 headings are the items.',
      instead: 'Write it as `module in ../03-outline/output/outline.md`.',
    })
    return undefined
  }
  const read = readOptions(options, problems)
  if (read.carry && read.parallel > 1) {
    problems.add('warning', 'contract/for-each-carry', first, {
      what: `parallel: ${read.parallel} has no effect together with carry.`,
      why: 'A turn that sees a line about every earlier item must wait for them.',
      instead: 'Remove one of the two lines.',
    })
  }
  const item = match[1].replace(/`/g, '').trim()
  return { item, path: path.path, ...read, line: first.line, column: first.column }
}

function readOptions(
  options: readonly TextBlock[],
  problems: ProblemList,
): { carry: boolean; parallel: number } {
  let carry = false
  let parallel = 1
  for (const option of options) {
    const match = /^(carry|parallel)\s*(?::\s*(.*))?$/i.exec(option.text.replace(/[`*]/g, '').trim())
    const value = match?.[2]?.trim() ?? ''
    if (match?.[1]?.toLowerCase() === 'carry') {
      carry = !/^(?:no|none|false|off)$/i.test(value)
    } else if (match && /^[1-9]\d{0,3}$/.test(value)) {
      parallel = Number(value)
    } else {
      problems.add(match ? 'error' : 'warning', 'contract/for-each-option', option, {
        what: `The For each option "${excerpt(option.text)}" was not understood.`,
        why: match ? 'parallel takes a whole number from 1.' : 'Only carry and parallel are options.',
        instead: match
          ? 'Write it as `- parallel: 2`.'
          : 'Write `- carry: one-line summary` or `- parallel: 2`, or remove it.',
      })
    }
  }
  return { carry, parallel }
}
