import { foldName } from './parameter-names.js'

/** One call as a journal has it. */
export interface RecordedCall {
  /** As the model wrote it. */
  readonly name: string
  readonly status: 'ok' | 'error' | 'needs_consent' | 'in_doubt'
  readonly durationMs?: number
}

/** One turn of work with one set of tools: a stage of a run, or a chat. */
export interface RecordedSession {
  /** The tools that were offered. */
  readonly tools: readonly string[]
  readonly calls: readonly RecordedCall[]
}

/** `remove`: never used; `candidate`: under 5 % of sessions; `rewrite-errors`: over 10 % of its calls failed. */
export type ToolAdvice = 'keep' | 'candidate' | 'remove' | 'rewrite-errors'

/** How one tool was used. Shares are from 0 to 1. */
export interface ToolStatistics {
  readonly name: string
  readonly uses: number
  /** Sessions that offered it, and of these the share that used it. */
  readonly sessions: number
  readonly sessionShare: number
  readonly errors: number
  readonly errorShare: number
  /** Mean of the calls whose time is known. */
  readonly meanMs?: number
  readonly advice: ToolAdvice
}

const CANDIDATE_UNDER = 0.05
const ERRORS_OVER = 0.1
const DEFAULT_MIN_SESSIONS = 20

/**
 * Counts how tools were used over sessions, the most used first. Advice other than `keep` needs `minSessions` sessions
 * (default 20) that offered the tool: fewer say nothing. Calls of names that no session offered are left out.
 */
export function toolStatistics(
  sessions: Iterable<RecordedSession>,
  { minSessions = DEFAULT_MIN_SESSIONS }: { readonly minSessions?: number } = {},
): readonly ToolStatistics[] {
  const counts = new Map<string, Counts>()
  for (const session of sessions) {
    const byFolded = new Map(session.tools.map((name) => [foldName(name), countsOf(counts, name)]))
    for (const tool of byFolded.values()) tool.sessions += 1
    const used = new Set<Counts>()
    for (const call of session.calls) {
      const tool = byFolded.get(foldName(call.name))
      if (tool === undefined) continue
      used.add(tool)
      tool.uses += 1
      if (call.status === 'error' || call.status === 'in_doubt') tool.errors += 1
      if (call.durationMs !== undefined) tool.durations.push(call.durationMs)
    }
    for (const tool of used) tool.usedIn += 1
  }
  return [...counts.values()]
    .map((tool) => summarize(tool, minSessions))
    .sort((left, right) => right.uses - left.uses || left.name.localeCompare(right.name))
}

interface Counts {
  readonly name: string
  uses: number
  sessions: number
  usedIn: number
  errors: number
  readonly durations: number[]
}

function countsOf(counts: Map<string, Counts>, name: string): Counts {
  const known = counts.get(name) ?? { name, uses: 0, sessions: 0, usedIn: 0, errors: 0, durations: [] }
  counts.set(name, known)
  return known
}

function summarize(tool: Counts, minSessions: number): ToolStatistics {
  const { name, uses, sessions, usedIn, errors, durations } = tool
  const sessionShare = sessions === 0 ? 0 : usedIn / sessions
  const errorShare = uses === 0 ? 0 : errors / uses
  return {
    name,
    uses,
    sessions,
    sessionShare,
    errors,
    errorShare,
    ...(durations.length === 0
      ? {}
      : { meanMs: durations.reduce((sum, ms) => sum + ms, 0) / durations.length }),
    advice: sessions < minSessions ? 'keep' : adviceFor(uses, sessionShare, errorShare),
  }
}

function adviceFor(uses: number, sessionShare: number, errorShare: number): ToolAdvice {
  if (uses === 0) return 'remove'
  if (errorShare > ERRORS_OVER) return 'rewrite-errors'
  return sessionShare < CANDIDATE_UNDER ? 'candidate' : 'keep'
}
