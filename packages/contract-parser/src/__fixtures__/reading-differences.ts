/**
 * Where we read the corpus otherwise than `reference-reading.json`, and why: file → kind → what we read instead.
 * A second opinion that is right leaves this table.
 */
export const readingDifferences: {
  readonly [file: string]: {
    readonly outputs?: readonly string[]
    /** Index of the path → the scope that we read. */
    readonly scopes?: { readonly [index: number]: string }
    readonly why: string
  }
} = {
  'PryzmEdge+Markdown-Architecture/stages/00-intake/CONTEXT.md': {
    outputs: ['stages/00-intake/output/problem.md'],
    why: 'Two lines name one file: a stage writes it once, and says so (contract/duplicate-output).',
  },
  'PryzmEdge+Markdown-Architecture/stages/01-research/CONTEXT.md': {
    scopes: { 1: '§ Constraints' },
    why: 'The section stands behind the path: `_config/domain-rules.md` § Constraints.',
  },
  'PryzmEdge+Markdown-Architecture/stages/02-analysis/CONTEXT.md': {
    outputs: ['stages/02-analysis/output/synthesis.md', 'stages/02-analysis/output/risk.md'],
    scopes: { 3: '§ Constraints' },
    why: 'The third line is a section of the first file, not a file of its own; the scope stands behind the path.',
  },
}
