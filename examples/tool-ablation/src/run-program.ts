import { join } from 'node:path'
import { openModel } from './open-model.js'
import { createProgress, type ProgressOptions } from './progress.js'
import type { ProgramOptions } from './read-options.js'
import type { ResultRow } from './results.js'
import { openResultsFile } from './results-file.js'
import { runAblation } from './run-ablation.js'
import { writeReport } from './write-report.js'

export interface Output extends ProgressOptions {
  /** For the table. */
  readonly print: (text: string) => void
}

/** Asks all models and writes the report, also of what was asked before an abort, which is then rethrown. */
export async function runProgram(
  options: ProgramOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const rows: ResultRow[] = []
  let ending: { readonly error: unknown } | undefined
  try {
    for (const name of options.models) await runModel(name, options, { output, signal, rows })
  } catch (error) {
    ending = { error }
  }
  if (rows.length > 0) output.print(await writeReport(rows, options))
  if (ending !== undefined) throw ending.error
}

interface ModelRun {
  readonly output: Output
  readonly signal: AbortSignal
  /** Gets each row, so that an abort loses none. */
  readonly rows: ResultRow[]
}

async function runModel(
  name: string,
  options: ProgramOptions,
  { output, signal, rows }: ModelRun,
): Promise<void> {
  const results = await openResultsFile(join(options.out, 'results.jsonl'))
  const { model, close } = await openModel(name, options, signal)
  const report = createProgress(output)
  try {
    await runAblation(name, model, results, {
      counts: options.counts,
      repeats: options.repeats,
      signal,
      onKnown: (known) => rows.push(...known),
      onRow: (row, progress) => {
        rows.push(row)
        report(row, progress)
      },
    })
  } finally {
    await close()
  }
}
