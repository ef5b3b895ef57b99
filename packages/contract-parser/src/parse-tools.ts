import { excerpt, type ProblemList } from './problems.js'
import type { MarkdownLine } from './scan-lines.js'
import { splitCells } from './table.js'
import type { Position, ToolAllowance } from './types.js'

const serverName = /^[A-Za-z0-9][\w.-]*$/
const toolName = /^[A-Za-z0-9_][\w./-]*$/

/** `none`, `(none)`, `N/A`, `No tools.`, with or without a bullet and words behind it. */
const noTools =
  /^(?:[-*+]\s+)?no\b.*\b(?:needed|required|used|allowed|necessary)\b|^(?:[-*+]\s+)?[*_`(]*(?:none|n\/a|nothing|no tools?(?: (?:are )?needed)?|-+|–|—)[*_`)]*(?:[.,;:]?$|[.,;:]?\s*[(—–-].*$|[.]\s)/i

/**
 * Reads the lines of a Tools section: `none`, `server: tool, tool`, `server: *` or `server` alone, with or without a
 * bullet. A line that cannot be read allows nothing and is a problem.
 */
export function parseTools(lines: readonly MarkdownLine[], problems: ProblemList): readonly ToolAllowance[] {
  const allowances: ToolAllowance[] = []
  let table: readonly string[] | undefined
  for (const line of lines) {
    const text = line.kind === 'text' ? line.text.trim() : ''
    if (text.startsWith('|')) {
      const cells = splitCells(text).map((cell) => plainCell(cell.text))
      const place = { line: line.number, column: line.text.indexOf(text) + 1 }
      if (table) allowances.push(...rowAllowance(table, cells, place))
      else if (cells.some(isServerColumn)) table = cells
      else {
        reportLine(text, place, problems)
        table = []
      }
      continue
    }
    table = undefined
    if (text === '' || /^([-*_])\s*(?:\1\s*){2,}$/.test(text)) continue
    if (noTools.test(text)) continue
    const entry = text
      .replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '')
      .replace(/[`*]{1,2}(?=[A-Za-z0-9_])|(?<=[A-Za-z0-9_])[`*]{1,2}/g, '')
      .replace(/\s+(?:—|–|--|#)\s.*$/, '')
      .replace(/\s*\([^()]*\)\s*$/, '')
      .trim()
    const column = line.text.indexOf(text) + 1
    const allowance = readAllowance(entry)
    if (allowance) allowances.push({ ...allowance, line: line.number, column })
    else reportLine(text, { line: line.number, column }, problems)
  }
  return allowances
}

function plainCell(text: string): string {
  return text.replace(/[`*]/g, '').trim()
}

function isServerColumn(header: string): boolean {
  return /^servers?$/i.test(header)
}

/** A row of a table `Server | Tools`; other rows allow nothing, and their table was reported by its header. */
function rowAllowance(header: readonly string[], cells: readonly string[], place: Position): ToolAllowance[] {
  const server = cells[header.findIndex(isServerColumn)] ?? ''
  const tools = cells[header.findIndex((name) => /^tools?$/i.test(name))] ?? ''
  const allowance = readAllowance(tools === '' ? server : `${server}: ${tools}`)
  return allowance ? [{ ...allowance, ...place }] : []
}

function readAllowance(entry: string): Pick<ToolAllowance, 'server' | 'tools'> | undefined {
  const [server = '', list, ...more] = entry.split(/\s*:\s*/)
  if (more.length > 0 || !serverName.test(server)) return undefined
  if (list === undefined || list === '*' || list === 'all') return { server, tools: 'all' }
  const tools = list.split(/\s*,\s*/).filter((tool) => tool !== '')
  return tools.length > 0 && tools.every((tool) => toolName.test(tool))
    ? { server, tools: [...new Set(tools)] }
    : undefined
}

function reportLine(text: string, place: { line: number; column: number }, problems: ProblemList): void {
  // A sentence is a remark of a contract made for another reader; a short line is an allowance gone wrong.
  const sentence = text.split(/\s+/).length > 6 || /[.!?]$/.test(text)
  problems.add(sentence ? 'warning' : 'error', 'contract/tool-line', place, {
    what: `The tools line "${excerpt(text)}" was not understood.`,
    why: 'A stage gets only the tools that its contract names, one server a line.',
    instead: 'Write `server: tool, tool`, `server: *` for all of its tools, or `none`.',
  })
}
