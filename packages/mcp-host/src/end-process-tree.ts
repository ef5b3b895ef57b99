import type { ChildProcess } from 'node:child_process'
import type { ProcessTree } from './process-tree.js'

const POLL_MS = 20
/** From SIGTERM to SIGKILL when a person has said stop and waits for the prompt. */
const HURRIED_GRACE_MS = 100

export interface EndOptions {
  /** For the end of standard input, SIGTERM and SIGKILL to take effect, each. */
  readonly graceMs: number
  /** From its abort on nothing is waited for: SIGTERM at once, and SIGKILL 100 ms later. */
  readonly hurry: AbortSignal | undefined
}

/**
 * Ends a server the polite way first: standard input is closed, then SIGTERM, then SIGKILL, each to the whole tree
 * and each with the same time to take effect; in a hurry without the first wait.
 */
export async function endProcessTree(
  child: ChildProcess,
  tree: ProcessTree,
  { graceMs, hurry }: EndOptions,
): Promise<void> {
  tree.refresh()
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const isHurried = () => hurry?.aborted === true
  child.stdin?.end()
  // The program may end at once and leave children behind; they get no grace for being polite.
  await waitWhile(() => isRunning() && !isHurried(), graceMs)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!tree.isAlive()) break
    tree.signal(signal)
    const patient = isHurried() ? 0 : graceMs
    await waitWhile(() => tree.isAlive() && !isHurried(), patient)
    await waitWhile(() => tree.isAlive(), isHurried() ? HURRIED_GRACE_MS : 0)
  }
  child.stdout?.destroy()
  child.stderr?.destroy()
}

async function waitWhile(condition: () => boolean, maxMs: number): Promise<void> {
  const deadline = performance.now() + maxMs
  while (performance.now() < deadline && condition()) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const running = new Set<ProcessTree>()

/** Kills the tree when this process ends without closing it (an uncaught error, `process.exit`). Returns the undo. */
export function registerForExit(tree: ProcessTree): () => void {
  if (running.size === 0) process.on('exit', killAll)
  running.add(tree)
  return () => {
    running.delete(tree)
    if (running.size === 0) process.off('exit', killAll)
  }
}

function killAll(): void {
  for (const tree of running) tree.signal('SIGKILL')
}
