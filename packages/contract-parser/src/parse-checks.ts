import type { Block } from './blocks.js'
import type { ContractCheck, ContractCheckpoint, Position } from './types.js'

interface Line extends Position {
  readonly cells: readonly string[]
}

/** Rows of tables, items, and paragraphs joined to one line each. */
function linesOf(blocks: readonly Block[]): Line[] {
  const lines: Line[] = []
  let joins = false
  for (const block of blocks) {
    if (block.type === 'table') {
      for (const row of block.rows) {
        const cells = row.cells.map((cell) => cell.text)
        if (cells.some((cell) => cell !== ''))
          lines.push({ cells, line: row.line, column: row.cells[0]?.column ?? 1 })
      }
      joins = false
      continue
    }
    const text = block.type === 'item' ? block.text.replace(/^\[[ xX]\]\s+/, '') : block.text
    const last = lines.at(-1)
    if (block.type === 'text' && block.continued && joins && last) {
      lines[lines.length - 1] = { ...last, cells: [`${last.cells[0] ?? ''} ${text}`] }
    } else if (text !== '') {
      lines.push({ cells: [text], line: block.line, column: block.column })
    }
    joins = block.type === 'text'
  }
  return lines
}

/** The lines of a Verify section, one string each. */
export function parseVerify(blocks: readonly Block[]): readonly string[] {
  return linesOf(blocks).map((line) => line.cells.filter((cell) => cell !== '').join(': '))
}

/** The checks of an Audit section: a table `Check | Pass Condition`, or a list of checks without conditions. */
export function parseAudit(blocks: readonly Block[]): readonly ContractCheck[] {
  return linesOf(blocks).map(({ cells, line, column }) => {
    const [check = '', ...conditions] = cells
    return { check, passCondition: conditions.filter((cell) => cell !== '').join('; '), line, column }
  })
}

/** The rows `After Step | Agent Presents | Human Decides`; a line without a table is what a person decides. */
export function parseCheckpoints(blocks: readonly Block[]): readonly ContractCheckpoint[] {
  return linesOf(blocks).map(({ cells, line, column }) => {
    if (cells.length === 1) return { afterStep: '', presents: '', decides: cells[0] ?? '', line, column }
    const [afterStep = '', presents = '', ...decides] = cells
    return { afterStep, presents, decides: decides.filter((cell) => cell !== '').join('; '), line, column }
  })
}

/** Steps of a Process that are marked `**[Checkpoint]**`, for contracts without a Checkpoints section. */
export function inlineCheckpoints(blocks: readonly Block[]): readonly ContractCheckpoint[] {
  const found: ContractCheckpoint[] = []
  for (const block of blocks) {
    if (block.type === 'table') continue
    const match = /^(?:\*\*|__)?\[checkpoint\](?:\*\*|__)?[\s:—–-]*(.*)$/i.exec(block.text)
    if (!match) continue
    // The mark is a step of its own: the table dialect names the step before it.
    const afterStep =
      block.type === 'item' && block.ordinal !== undefined ? String(Math.max(0, block.ordinal - 1)) : ''
    found.push({
      afterStep,
      presents: match[1]?.trim() ?? '',
      decides: '',
      line: block.line,
      column: block.column,
    })
  }
  return found
}
