import { isRight, type ResultRow } from './results.js'

/** Requests after which a line is written where there is no terminal. */
const EVERY = 10

export interface ProgressOptions {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
}

/** Says after each request what is done, what came out and about how long the rest takes. */
export function createProgress({ write, isTerminal }: ProgressOptions) {
  let made = 0
  let spentMs = 0
  return (row: ResultRow, { done, total }: { readonly done: number; readonly total: number }): void => {
    made++
    spentMs += row.elapsedMs
    const left = describeTime(((total - done) * spentMs) / made)
    const chosen = row.chosen ?? (row.unknown === undefined ? 'no call' : `no tool "${row.unknown}"`)
    const mark = isRight(row) ? 'right' : `${row.expected} → ${chosen}`
    const line = `[${done}/${total}] ${row.model}, ${row.tools} tools, ${row.task}: ${mark}; ${left} left`
    if (isTerminal) write(`\r\u001b[2K${line}${done === total ? '\n' : ''}`)
    else if (made % EVERY === 1 || done === total) write(`${line}\n`)
  }
}

function describeTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`
}
