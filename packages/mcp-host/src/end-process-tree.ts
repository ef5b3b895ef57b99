import type { ChildProcess } from 'node:child_process'
import type { ProcessTree } from './process-tree.js'

const POLL_MS = 20

/**
 * Ends a server the polite way first: standard input is closed, then SIGTERM, then SIGKILL, each to the whole tree
 * and each with the same time to take effect.
 */
export async function endProcessTree(child: ChildProcess, tree: ProcessTree, graceMs: number): Promise<void> {
  tree.refresh()
  const isRunning = () => child.exitCode === null && child.signalCode === null
  child.stdin?.end()
  // The program may end at once and leave children behind; they get no grace for being polite.
  await waitWhile(isRunning, graceMs)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!tree.isAlive()) break
    tree.signal(signal)
    await waitWhile(() => tree.isAlive(), graceMs)
  }
  child.stdout?.destroy()
  child.stderr?.destroy()
}

async function waitWhile(condition: () => boolean, maxMs: number): Promise<void> {
  const deadline = performance.now() + maxMs
  while (condition() && performance.now() < deadline) {
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
