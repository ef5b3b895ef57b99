import type { RecordedCall, RecordedSession } from './statistics.js'

interface OpenSession {
  readonly tools: Set<string>
  readonly calls: RecordedCall[]
}

const STATUSES = ['ok', 'error', 'needs_consent', 'in_doubt'] as const

/**
 * Reads the sessions of a run's journal (one JSON event a line, as `@icm/pipeline` writes it): each stage that offered
 * tools is one. Calls that the loop answered without running them are left out, and so are lines that a crash cut short.
 */
export function sessionsOfJournal(journal: string): readonly RecordedSession[] {
  const sessions = new Map<string, OpenSession>()
  for (const line of journal.split('\n')) {
    const entry = parseLine(line)
    const event = entry === undefined ? undefined : asObject(entry.event)
    if (entry?.type !== 'agent' || event === undefined) continue
    const key = `${String(entry.run)} ${String(entry.stage)}`
    const session = sessions.get(key) ?? { tools: new Set(), calls: [] }
    sessions.set(key, session)
    addEvent(session, event)
  }
  return [...sessions.values()]
    .filter(({ tools }) => tools.size > 0)
    .map(({ tools, calls }) => ({ tools: [...tools], calls }))
}

function addEvent(session: OpenSession, event: Record<string, unknown>): void {
  if (event.type === 'run-start' && Array.isArray(event.tools)) {
    for (const name of event.tools) if (typeof name === 'string') session.tools.add(name)
  }
  if (event.type !== 'tool-end' || event.notRun !== undefined) return
  const call = asObject(event.call)
  const status = STATUSES.find((known) => known === event.status)
  if (typeof call?.name !== 'string' || status === undefined) return
  session.calls.push({
    name: call.name,
    status,
    ...(typeof event.durationMs === 'number' ? { durationMs: event.durationMs } : {}),
  })
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(line))
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
