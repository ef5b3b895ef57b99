import type { Summary } from './summarize.js'

const COLUMNS: readonly (readonly [string, (summary: Summary) => string | number | undefined])[] = [
  ['model', ({ model }) => model],
  ['tools', ({ tools }) => tools],
  ['requests', ({ requests }) => requests],
  ['right', ({ right }) => right],
  ['right_share', ({ right, requests }) => share(right / requests)],
  ['low_95', ({ interval }) => share(interval.low)],
  ['high_95', ({ interval }) => share(interval.high)],
  ['schema_tokens', ({ schemaTokens }) => schemaTokens],
  ['first_token_cold_ms', ({ firstToken }) => firstToken.coldMs],
  ['first_token_warm_ms', ({ firstToken }) => firstToken.warmMs],
  ['wrong_arguments', ({ wrongArguments }) => wrongArguments],
  ['native', ({ native }) => native],
  ['recovered', ({ recovered }) => recovered],
  ['none', ({ none }) => none],
]

/** The summaries as CSV (RFC 4180) with a header; what is not known is empty. */
export function formatCsv(summaries: readonly Summary[]): string {
  const rows = summaries.map((summary) => COLUMNS.map(([, read]) => cell(read(summary))).join(','))
  return `${[COLUMNS.map(([name]) => name).join(','), ...rows].join('\n')}\n`
}

function cell(value: string | number | undefined): string {
  const text = String(value ?? '')
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function share(value: number): string {
  return value.toFixed(4)
}
