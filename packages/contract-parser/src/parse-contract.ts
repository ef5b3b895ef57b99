import { type Block, readBlocks } from './blocks.js'
import { inlineCheckpoints, parseAudit, parseCheckpoints, parseVerify } from './parse-checks.js'
import { parseForEach } from './parse-for-each.js'
import { parseInputs } from './parse-inputs.js'
import { parseOutputs } from './parse-outputs.js'
import { parseTools } from './parse-tools.js'
import { createProblemList } from './problems.js'
import { type Part, reportContract, reportStructure, type Section } from './report-contract.js'
import { type MarkdownLine, scanLines } from './scan-lines.js'
import { otherSectionName, type SectionName, sectionNameOf } from './section-names.js'
import { type MarkdownHeading, scanHeadings } from './sections.js'
import type { ContractCheckpoint, ParsedContract, StageContract } from './types.js'

interface NamedHeading {
  readonly heading: MarkdownHeading
  readonly name: SectionName | undefined
}

/**
 * Reads a stage contract in its canonical form or one of the dialects that people write.
 * Never throws on content: what cannot be read comes back in `problems`, ordered by place.
 */
export function parseContract(markdown: string): ParsedContract {
  const scan = scanLines(markdown)
  const problems = createProblemList()
  const { headings, glued } = scanHeadings(markdown, scan.lines)
  const named = withOtherNames(
    headings.map((heading): NamedHeading => ({ heading, name: sectionNameOf(heading.text) })),
  )
  const title = titleOf(named)
  const parts = readParts(markdown, scan.lines, named, title)
  const sections = new Map<SectionName, Section>()
  for (const part of parts) {
    if (!part.name) continue
    const before = sections.get(part.name)
    if (before) before.more.push(part)
    else sections.set(part.name, { first: part, more: [] })
  }
  const blocksOf = (name: SectionName): readonly Block[] => {
    const section = sections.get(name)
    if (!section) return []
    const blocks = readBlocks(section.first.lines)
    return section.more.length === 0
      ? blocks
      : [...blocks, ...section.more.flatMap((part) => readBlocks(part.lines))]
  }
  const textOf = (part: Part) => trimSection(markdown.slice(part.heading.bodyStart, part.end))
  const text = (name: SectionName): string => {
    const section = sections.get(name)
    if (!section) return ''
    const pieces = [section.first, ...section.more].map(textOf)
    return pieces.length === 1 ? (pieces[0] ?? '') : pieces.filter((piece) => piece !== '').join('\n\n')
  }
  const outputs = parseOutputs(blocksOf('outputs'), problems)
  const each = sections.get('for-each')?.first
  const forEach =
    each && parseForEach(readBlocks(each.lines), { line: each.heading.line, column: 1 }, problems)
  const process = text('process')
  const contract: StageContract = {
    title: title?.text ?? '',
    purpose: sections.has('purpose') ? text('purpose') : introduction(markdown, scan.lines, title, parts),
    inputs: parseInputs(blocksOf('inputs')),
    tools: sections.has('tools')
      ? parts.flatMap((part) => (part.name === 'tools' ? parseTools(part.lines, problems) : []))
      : [],
    ...(forEach ? { forEach } : {}),
    process,
    verify: parseVerify(blocksOf('verify')),
    checkpoints: checkpointsOf(blocksOf, process),
    audit: parseAudit(blocksOf('audit')),
    outputs,
    otherSections: parts
      .filter((part) => part.name === undefined)
      .map((part) => ({
        heading: part.heading.text,
        text: textOf(part),
        line: part.heading.line,
        column: 1,
      })),
  }
  reportStructure(scan, glued, parts, problems)
  reportContract(contract, sections, problems)
  return { contract, problems: problems.sorted() }
}

/** `Steps` is the Process of a contract that has no section of that name. */
function withOtherNames(named: readonly NamedHeading[]): readonly NamedHeading[] {
  const has = (wanted: SectionName) => named.some(({ name }) => name === wanted)
  if (has('process') && has('inputs') && has('outputs')) return named
  const there = new Set(named.map(({ name }) => name))
  return named.map((one) => {
    const other =
      one.name === undefined && one.heading.level === 2 ? otherSectionName(one.heading.text) : undefined
    if (other === undefined || there.has(other)) return one
    there.add(other)
    return { ...one, name: other }
  })
}

/**
 * The first level-1 heading that names no section. A contract may be called "Write" or "Check": then it is the only
 * heading of level 1, stands first, and sections follow it.
 */
function titleOf(named: readonly NamedHeading[]): MarkdownHeading | undefined {
  const first = named[0]
  if (first?.heading.level === 1 && first.name !== undefined && named.length > 1) {
    const below = named.slice(1)
    const alone = below.every(({ heading }) => heading.level > 1)
    if (alone && below.some(({ name }) => name !== undefined)) return first.heading
  }
  return named.find(({ heading, name }) => heading.level === 1 && name === undefined)?.heading
}

function readParts(
  markdown: string,
  lines: readonly MarkdownLine[],
  named: readonly NamedHeading[],
  title: MarkdownHeading | undefined,
): Part[] {
  const opening = named.filter(({ heading }) => heading.level <= 2 && heading !== title)
  return opening.map(({ heading, name }, index) => {
    const following = opening[index + 1]?.heading
    const next = following?.start ?? markdown.length
    const end = title && title.start > heading.start && title.start < next ? title.start : next
    // Lines count from 1: the line behind the heading has the heading's number as its index.
    const rest = lines.slice(heading.line, following && following.line - 1)
    return { heading, name, end, lines: end === next ? rest : rest.filter((line) => line.start < end) }
  })
}

/**
 * Without the blank lines around it, and without the `---` that separates it from the next section. What stands before the
 * text of the first line stays where it decides how the line is read: four spaces make code of it.
 */
function trimSection(text: string): string {
  const trimmed = trimStart(text).trimEnd()
  if (!/[-*_]$/.test(trimmed.slice(-1))) return trimmed
  const start = Math.max(trimmed.lastIndexOf('\n'), trimmed.lastIndexOf('\r')) + 1
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(trimmed.slice(start)) ? trimmed.slice(0, start).trimEnd() : trimmed
}

function trimStart(text: string): string {
  const trimmed = text.trimStart()
  const lead = text.slice(0, text.length - trimmed.length)
  const indent = lead.slice(Math.max(lead.lastIndexOf('\n'), lead.lastIndexOf('\r')) + 1)
  return /^ {0,3}$/.test(indent) ? trimmed : indent + trimmed
}

function introduction(
  markdown: string,
  lines: readonly MarkdownLine[],
  title: MarkdownHeading | undefined,
  parts: readonly Part[],
): string {
  let front = 0
  while (lines[front]?.kind === 'front-matter') front++
  const start = title?.bodyStart ?? lines[front]?.start ?? 0
  const end =
    parts.find((part) => part.heading.start >= start)?.heading.start ?? (title ? markdown.length : start)
  return trimSection(markdown.slice(start, end))
}

function checkpointsOf(
  blocksOf: (name: SectionName) => readonly Block[],
  process: string,
): readonly ContractCheckpoint[] {
  const stated = [...parseCheckpoints(blocksOf('checkpoints')), ...parseCheckpoints(blocksOf('review-gate'))]
  const marked = process.includes('[C') || process.includes('[c')
  if (stated.length > 0 || !marked) return stated
  return inlineCheckpoints(blocksOf('process'))
}
