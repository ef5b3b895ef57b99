import { join } from 'node:path'
import { writeFileAtomically } from '@icm/safe-files'
import { formatConfusions } from './confusions.js'
import { formatCsv } from './format-csv.js'
import { formatTable } from './format-table.js'
import { plotSvg } from './plot-svg.js'
import type { ResultRow } from './results.js'
import { summarize } from './summarize.js'
import { toolSet } from './tool-set.js'

/** Writes table.csv, plot.svg and, when wanted, confusions.md; returns what a person reads. */
export async function writeReport(
  rows: readonly ResultRow[],
  { out, confusions }: { readonly out: string; readonly confusions: boolean },
): Promise<string> {
  const summaries = summarize(rows)
  await writeFileAtomically(join(out, 'table.csv'), formatCsv(summaries))
  await writeFileAtomically(join(out, 'plot.svg'), plotSvg(summaries))
  const table = formatTable(summaries)
  if (!confusions) return table
  const text = confusionsOf(rows)
  await writeFileAtomically(join(out, 'confusions.md'), text)
  return `${table}\n${text}`
}

/** Of each model at its largest number of tools, where confusions are most likely. */
function confusionsOf(rows: readonly ResultRow[]): string {
  const models = [...new Set(rows.map(({ model }) => model))]
  const texts = models.map((model) => {
    const own = rows.filter((row) => row.model === model)
    const largest = Math.max(...own.map(({ tools }) => tools))
    const repeats = [...new Set(own.map(({ repeat }) => repeat))]
    const tools = repeats.flatMap((repeat) => toolSet(largest, repeat))
    return formatConfusions(
      own.filter((row) => row.tools === largest),
      tools,
    )
  })
  return texts.join('\n')
}
