import { isRight, type ResultRow } from './results.js'
import { wilson } from './wilson.js'

/** What a model did with so many tools. */
export interface Summary {
  readonly model: string
  readonly tools: number
  readonly requests: number
  readonly right: number
  /** Bounds of the share that is right, from 0 to 1. */
  readonly interval: { readonly low: number; readonly high: number }
  readonly schemaTokens: number | undefined
  /** Medians; undefined when no request of the kind was made. */
  readonly firstToken: { readonly coldMs: number | undefined; readonly warmMs: number | undefined }
  /** Of the calls of the right tool. */
  readonly wrongArguments: number
  readonly native: number
  readonly recovered: number
  readonly none: number
}

/** One summary for each model and number of tools, in the order in which they first appear. */
export function summarize(rows: readonly ResultRow[]): readonly Summary[] {
  const groups = new Map<string, ResultRow[]>()
  for (const row of rows) {
    const group = `${row.model}\n${row.tools}`
    groups.set(group, [...(groups.get(group) ?? []), row])
  }
  return [...groups.values()].map(summarizeGroup)
}

function summarizeGroup(rows: readonly ResultRow[]): Summary {
  const count = (holds: (row: ResultRow) => boolean) => rows.filter(holds).length
  const right = count(isRight)
  const times = (isCold: boolean) =>
    rows.filter((row) => row.isCold === isCold).map((row) => row.firstTokenMs)
  return {
    model: rows[0]?.model ?? '',
    tools: rows[0]?.tools ?? 0,
    requests: rows.length,
    right,
    interval: wilson(right, rows.length),
    schemaTokens: median(rows.flatMap((row) => row.schemaTokens ?? [])),
    firstToken: { coldMs: median(times(true)), warmMs: median(times(false)) },
    wrongArguments: count((row) => row.wrongArguments === true),
    native: count((row) => row.how === 'native'),
    recovered: count((row) => row.how === 'recovered'),
    none: count((row) => row.how === 'none'),
  }
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? undefined : Math.round((upper + lower) / 2)
}
