import type { ContractProblem, ContractProblemCode, Position } from './types.js'

type Severity = ContractProblem['severity']

/** Collects the problems of one text. */
export interface ProblemList {
  /** All of them, ordered by line and column. */
  sorted(): readonly ContractProblem[]
  add(severity: Severity, code: ContractProblemCode, place: Position, text: ProblemText): void
}

interface ProblemText {
  readonly what: string
  readonly why: string
  readonly instead: string
}

/** An empty list. */
export function createProblemList(): ProblemList {
  const problems: ContractProblem[] = []
  return {
    sorted: () => problems.sort((left, right) => left.line - right.line || left.column - right.column),
    add: (severity, code, place, text) => {
      problems.push({ code, ...text, severity, line: place.line, column: place.column })
    },
  }
}

/** A piece of a contract's text for a message: one line, at most 60 characters. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}
