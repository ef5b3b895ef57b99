import { excerpt, type ProblemList } from './problems.js'
import type { MarkdownLine, MarkdownScan } from './scan-lines.js'
import { misspelledSection, type SectionName, sectionNameOf } from './section-names.js'
import type { MarkdownHeading } from './sections.js'
import type { Position, StageContract } from './types.js'

/** A section as it stands in the text. */
export interface Part {
  readonly heading: MarkdownHeading
  readonly name: SectionName | undefined
  /** Offset behind the part. */
  readonly end: number
  readonly lines: readonly MarkdownLine[]
}

/** All sections of one name. */
export interface Section {
  readonly first: Part
  readonly more: Part[]
}

/** Reports what is wrong with the sections themselves: unclosed blocks, names, what is there twice. */
export function reportStructure(
  scan: MarkdownScan,
  glued: readonly MarkdownLine[],
  parts: readonly Part[],
  problems: ProblemList,
): void {
  if (scan.unclosedFence) {
    problems.add(
      'warning',
      'contract/unclosed-fence',
      { line: scan.unclosedFence, column: 1 },
      {
        what: 'A code fence opened here and never closed.',
        why: 'Everything behind it counts as code, so no section there was read.',
        instead: 'Close it with the same number of backticks or tildes.',
      },
    )
  }
  if (scan.unclosedComment) {
    problems.add(
      'warning',
      'contract/unclosed-comment',
      { line: scan.unclosedComment, column: 1 },
      {
        what: 'A comment opened here and never closed.',
        why: 'Everything behind it is hidden, so no section there was read.',
        instead: 'Close it with -->.',
      },
    )
  }
  for (const line of glued) {
    const name = /^#{1,3}([^#\s].*)$/.exec(line.text)?.[1]
    if (!name || sectionNameOf(name) === undefined) continue
    problems.add(
      'warning',
      'contract/heading-space',
      { line: line.number, column: 1 },
      {
        what: `"${excerpt(line.text)}" was not read as a heading.`,
        why: 'A heading has a space behind its #.',
        instead: `Write "## ${name.trim()}".`,
      },
    )
  }
  const first = new Map<SectionName, number>()
  for (const part of parts) {
    const place = { line: part.heading.line, column: 1 }
    const near = part.name ? undefined : misspelledSection(part.heading.text)
    if (near) {
      problems.add('warning', 'contract/section-name', place, {
        what: `The section "${excerpt(part.heading.text)}" has no meaning in a contract.`,
        why: 'Section names are compared word for word; upper and lower case do not matter.',
        instead: `Rename it to "${near}" if that is meant.`,
      })
    }
    if (!part.name) continue
    const before = first.get(part.name)
    if (before === undefined) first.set(part.name, part.heading.line)
    else {
      problems.add('warning', 'contract/duplicate-section', place, {
        what: `The section "${excerpt(part.heading.text)}" was there again; line ${before} has it first.`,
        why: part.name === 'for-each' ? 'Only the first one counts.' : 'Both were read as one section.',
        instead: 'Join the two sections.',
      })
    }
  }
}

/** Reports what a contract lacks, and what contradicts itself. */
export function reportContract(
  contract: StageContract,
  sections: ReadonlyMap<SectionName, Section>,
  problems: ProblemList,
): void {
  const place = { line: 1, column: 1 }
  if (contract.process === '') {
    problems.add('error', 'contract/no-process', place, {
      what: sections.has('process')
        ? 'The section Process was empty.'
        : 'The contract has no section Process.',
      why: 'Its text is what the model is asked to do.',
      instead: 'Add "## Process" with the instructions for this stage.',
    })
  }
  if (contract.outputs.length === 0) {
    problems.add('warning', 'contract/no-outputs', place, {
      what: sections.has('outputs')
        ? 'The section Outputs names no file.'
        : 'The contract has no section Outputs.',
      why: 'The answer is saved under the name that it gives.',
      instead: 'Add "## Outputs" with a line such as "- notes.md -> output/".',
    })
  }
  if (!sections.has('inputs')) {
    problems.add('info', 'contract/no-inputs', place, {
      what: 'The contract has no section Inputs.',
      why: 'Nothing that a contract does not list is loaded.',
      instead: 'Add "## Inputs", with "none" if the stage needs no file.',
    })
  }
  const second = contract.outputs[1]
  if (contract.forEach && second) {
    problems.add('error', 'contract/for-each-outputs', second, {
      what: `A stage with For each names ${contract.outputs.length} outputs.`,
      why: 'Its items are joined into one file.',
      instead: `Keep "${contract.outputs[0]?.path ?? ''}" and move the others to a stage of their own.`,
    })
  }
  reportBraces(contract.inputs, problems)
  reportBraces(contract.outputs, problems)
}

function reportBraces(
  entries: readonly (Position & { readonly path?: string })[],
  problems: ProblemList,
): void {
  for (const entry of entries) {
    if (!entry.path?.includes('{') || !/\{[^{}]*,[^{}]*\}/.test(entry.path)) continue
    problems.add('warning', 'contract/brace-list', entry, {
      what: `The braces in "${entry.path}" were taken literally.`,
      why: 'A contract names one file or folder a path; lists in braces are not expanded.',
      instead: 'Write one line for each path.',
    })
  }
}
