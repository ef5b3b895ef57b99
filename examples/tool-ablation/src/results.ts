/** One request and what came of it: a line of the results file. */
export interface ResultRow {
  readonly kind: 'request'
  /** Hash of task, tools and system text: a changed description makes the row count no more. */
  readonly key: string
  readonly model: string
  readonly tools: number
  readonly repeat: number
  readonly task: string
  readonly expected: string
  /** The tool that was called first; absent when no tool of the set was. */
  readonly chosen?: string
  /** A name that no tool has. */
  readonly unknown?: string
  /** Of a call of the right tool: whether its arguments were refused, or are not those of the request. */
  readonly wrongArguments?: boolean
  readonly how: 'native' | 'recovered' | 'none'
  /** The first request with its tools since the program started: nothing of the prompt was read before. */
  readonly isCold: boolean
  /** Until the answer begins: as the server says (loading and reading the prompt), else as the clock says. */
  readonly firstTokenMs: number
  readonly elapsedMs: number
  readonly inputTokens?: number
  /** What the tools add to the prompt; on one request of each set. */
  readonly schemaTokens?: number
}

export const isRight = (row: ResultRow): boolean => row.chosen === row.expected
