import { isSettled, observeFiles, sameStamp } from './observe-files.js'
import type { FileStamp, StageContext, StageRef, Workspace, WorkspaceFiles } from './types.js'
import { memoryOf, type RememberedLoad, type WorkspaceMemory } from './workspace-memory.js'

/** Together the remembered texts of a store hold at most this many characters. */
const mostCharacters = 50_000_000

/**
 * Gives the last context of a stage again while every file and folder that it looked at is in the same state; else
 * loads it with a workspace whose looks are recorded. Nothing is remembered of a store without `stampOf`.
 */
export async function rememberedLoad(
  workspace: Workspace,
  stage: StageRef,
  options: { readonly countTokens?: unknown; readonly budget?: number; readonly signal?: AbortSignal },
  load: (observed: Workspace) => Promise<StageContext>,
): Promise<StageContext> {
  const memory = memoryOf(workspace)
  const { loads } = memory
  const before = loads.get(stage.folder)
  if (before && before.countTokens === options.countTokens && before.budget === options.budget) {
    if (await unchanged(workspace.files, before.seen)) return before.context
  }
  const { files, seen } = observeFiles(workspace.files)
  const context = freeze(await load({ ...workspace, files }))
  if (before) forget(memory, stage.folder, before)
  const now = Date.now()
  if (seen.size > 0 && allSettled(seen.values(), now)) {
    const { countTokens, budget } = options
    loads.set(stage.folder, { countTokens, budget, seen, context })
    memory.characters += sizeOf(context)
    forgetOldest(memory)
  }
  return context
}

async function unchanged(files: WorkspaceFiles, seen: RememberedLoad['seen']): Promise<boolean> {
  if (!files.stampOf) return false
  for (const [path, stamp] of seen) {
    if (!sameStamp(stamp, await files.stampOf(path))) return false
  }
  return true
}

function allSettled(stamps: Iterable<FileStamp | undefined>, nowMs: number): boolean {
  for (const stamp of stamps) if (!isSettled(stamp, nowMs)) return false
  return true
}

function sizeOf({ system, user }: StageContext): number {
  return system.length + user.length
}

function forget(memory: WorkspaceMemory, key: string, load: RememberedLoad): void {
  memory.loads.delete(key)
  memory.characters -= sizeOf(load.context)
}

function forgetOldest(memory: WorkspaceMemory): void {
  for (const [key, load] of memory.loads) {
    if (memory.characters <= mostCharacters) return
    forget(memory, key, load)
  }
}

/** One context is handed out many times: nobody may change it. */
function freeze(context: StageContext): StageContext {
  for (const list of [context.dropped, context.problems, context.items]) Object.freeze(list)
  return Object.freeze(context)
}
