import type { ChatModel } from '@icm/chat-model'
import { type PlannedSet, planRequests } from './plan.js'
import type { ResultRow } from './results.js'
import type { ResultsFile } from './results-file.js'
import { runRequest } from './run-request.js'
import { bareTokens, estimateSchemaTokens } from './schema-tokens.js'

export interface AblationOptions {
  readonly counts: readonly number[]
  readonly repeats: number
  readonly signal?: AbortSignal
  /** Called for each set with what earlier runs have left of it. */
  readonly onKnown?: (rows: readonly ResultRow[]) => void
  /** Called after each request that was made, with how many of the model's are done. */
  readonly onRow?: (row: ResultRow, progress: { readonly done: number; readonly total: number }) => void
}

/**
 * Asks one model all that its results file does not have yet, set by set, and tells the rows of this plan. Each row is
 * on disk before the next request, so an interrupted run goes on. Throws what the model throws, and `signal.reason`.
 */
export async function runAblation(
  name: string,
  model: ChatModel,
  results: ResultsFile,
  options: AblationOptions,
): Promise<void> {
  const plan = planRequests(options.counts, options.repeats)
  const known = new Map(results.rows.filter((row) => row.model === name).map((row) => [row.key, row]))
  const total = plan.reduce((sum, { requests }) => sum + requests.length, 0)
  let done = 0
  for (const planned of plan) {
    const earlier = planned.requests.flatMap(({ key }) => known.get(key) ?? [])
    done += earlier.length
    options.onKnown?.(earlier)
    const onRow = async (row: ResultRow) => {
      await results.append(row)
      done++
      options.onRow?.(row, { done, total })
    }
    const made = new Set(earlier.map(({ key }) => key))
    const needsTokens = !earlier.some(({ schemaTokens }) => schemaTokens !== undefined)
    await runSet(name, model, planned, { made, needsTokens, onRow, signal: options.signal })
  }
}

interface SetOptions {
  readonly made: ReadonlySet<string>
  readonly needsTokens: boolean
  readonly onRow: (row: ResultRow) => Promise<void>
  readonly signal: AbortSignal | undefined
}

async function runSet(
  name: string,
  model: ChatModel,
  { tools, repeat, set, requests }: PlannedSet,
  { made, needsTokens, onRow, signal }: SetOptions,
): Promise<void> {
  let isFirst = true
  for (const { task, key } of requests) {
    if (made.has(key)) continue
    // Before the set's first request, because it takes the place of what the server has kept of the prompt.
    const bare = isFirst && needsTokens ? await bareTokens(task, model, signal) : undefined
    const result = await runRequest(task, set, { model, ...(signal === undefined ? {} : { signal }) })
    const counted =
      bare === undefined || result.inputTokens === undefined ? undefined : result.inputTokens - bare
    await onRow({
      kind: 'request',
      key,
      model: name,
      tools,
      repeat,
      task: task.id,
      expected: task.expected,
      ...result,
      isCold: isFirst,
      ...(isFirst && needsTokens ? { schemaTokens: counted ?? estimateSchemaTokens(set) } : {}),
    })
    isFirst = false
  }
}
