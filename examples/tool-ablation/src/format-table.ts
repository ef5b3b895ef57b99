import type { Summary } from './summarize.js'

const HEAD = [
  'tools',
  'right',
  '95 %',
  'schema tokens',
  'first token cold/warm',
  'wrong arguments',
  'native/recovered/none',
]

/** The summaries of each model as an aligned table. */
export function formatTable(summaries: readonly Summary[]): string {
  const models = [...new Set(summaries.map(({ model }) => model))]
  return models
    .map((model) => {
      const rows = summaries.filter((summary) => summary.model === model).map(cellsOf)
      const widths = HEAD.map((title, column) =>
        Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
      )
      const line = (cells: readonly string[]) =>
        cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')
      return `${model}\n${[HEAD, ...rows].map(line).join('\n')}\n`
    })
    .join('\n')
}

function cellsOf(summary: Summary): readonly string[] {
  const { right, requests, interval, firstToken } = summary
  return [
    String(summary.tools),
    `${right}/${requests} ${percent(requests === 0 ? 0 : right / requests)}`,
    `${percent(interval.low)}–${percent(interval.high)}`,
    String(summary.schemaTokens ?? '–'),
    `${seconds(firstToken.coldMs)}/${seconds(firstToken.warmMs)}`,
    String(summary.wrongArguments),
    `${summary.native}/${summary.recovered}/${summary.none}`,
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function seconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : `${(milliseconds / 1000).toFixed(1)} s`
}
