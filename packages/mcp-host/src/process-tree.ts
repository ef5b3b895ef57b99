import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process as Linux shows it; `startedAt` (clock ticks since boot) tells a reused id from the old process. */
interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly startedAt: string
}

/** Every live process, from `/proc`; undefined where there is none (macOS, Windows). Zombies are not live. */
function listProcesses(): readonly ProcessEntry[] | undefined {
  if (process.platform !== 'linux') return undefined
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readEntry(Number(name)) : []))
}

function readEntry(pid: number): readonly ProcessEntry[] {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return [] // ended meanwhile
  }
  // The command stands in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  const startedAt = fields[19]
  if (state === 'Z' || state === 'X' || startedAt === undefined) return []
  return [{ pid, parent: Number(parent), group: Number(group), startedAt }]
}

/** Follows one started program and everything that it starts. */
export interface ProcessTree {
  /** Notes the processes that belong to the tree now: members of the group and descendants, also in other groups. */
  refresh(): void
  /** Whether any of them lives. */
  isAlive(): boolean
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

/**
 * Makes the tree of a program that was started as leader of its own process group (`detached`).
 * On Linux descendants that left the group are followed too (a server's browser often does); elsewhere the group is
 * all there is, and on Windows `taskkill /T`. Source of the rule: field report F04.
 */
export function trackProcessTree(leader: number): ProcessTree {
  if (process.platform === 'linux') return trackOnLinux(leader)
  const target = process.platform === 'win32' ? leader : -leader
  return {
    refresh: () => {},
    isAlive: () => sendSignal(target, 0),
    signal: (name) => {
      if (process.platform === 'win32') execFile('taskkill', ['/pid', String(leader), '/T', '/F'], () => {})
      else sendSignal(target, name)
    },
  }
}

function trackOnLinux(leader: number): ProcessTree {
  const known = new Map(readEntry(leader).map((entry) => [leader, entry]))
  // Once nothing of the tree lives, its ids may belong to strangers: then it stays dead.
  let dead = false
  const refresh = () => {
    if (dead) return
    const entries = listProcesses() ?? []
    const current = new Map(entries.map((entry) => [entry.pid, entry]))
    for (const [pid, entry] of known) {
      if (current.get(pid)?.startedAt !== entry.startedAt) known.delete(pid)
    }
    const members = entries.filter(({ pid, group }) => group === leader && pid !== leader)
    const roots = [...known.keys(), ...members.map(({ pid }) => pid)]
    for (const entry of [...members, ...descendants(entries, roots)]) known.set(entry.pid, entry)
    dead = known.size === 0
  }
  return {
    refresh,
    isAlive: () => {
      refresh()
      return !dead
    },
    signal: (name) => {
      refresh()
      for (const pid of known.keys()) sendSignal(pid, name)
    },
  }
}

function descendants(entries: readonly ProcessEntry[], roots: readonly number[]): readonly ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>()
  for (const entry of entries) children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry])
  const found: ProcessEntry[] = []
  const open = [...new Set(roots)]
  const seen = new Set(open)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of children.get(next) ?? []) {
      if (seen.has(child.pid)) continue
      seen.add(child.pid)
      found.push(child)
      open.push(child.pid)
    }
  }
  return found
}

/** False when there is no such process (or group) any more. */
function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
