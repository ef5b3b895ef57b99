import type { StageContract } from '@icm/contract-parser'
import type { DeclaredOutputs } from './declared-outputs.js'
import { storeOf } from './observe-files.js'
import type { FileStamp, ReadContract, StageContext, StageRef, Workspace, WorkspaceFiles } from './types.js'

/** A contract as it was parsed, and the state of its file then; without a state it holds only for an equal text. */
interface RememberedContract {
  readonly stamp?: FileStamp
  readonly read: ReadContract
}

/** A stage's context as it was loaded, and everything that was looked at for it. */
export interface RememberedLoad {
  readonly countTokens: unknown
  readonly budget: number | undefined
  /** Path → state, in the order of looking. */
  readonly seen: ReadonlyMap<string, FileStamp | undefined>
  readonly context: StageContext
}

/** What an open workspace remembers between two calls; every entry is held against the disk before it is used. */
export interface WorkspaceMemory {
  readonly store: WorkspaceFiles
  /** By the path of the contract. */
  readonly contracts: Map<string, RememberedContract>
  /** By the path of the stage folder, the latest last. */
  readonly loads: Map<string, RememberedLoad>
  /** Characters of the texts in `loads`. */
  characters: number
  declared?: { readonly contracts: readonly StageContract[]; readonly outputs: DeclaredOutputs }
}

// By the list of stages: it belongs to one opening of a workspace, and its copies (snapshots) share it.
const memories = new WeakMap<readonly StageRef[], WorkspaceMemory>()

/** The memory of an open workspace, shared with its snapshots. */
export function memoryOf(workspace: Workspace): WorkspaceMemory {
  const store = storeOf(workspace.files)
  const known = memories.get(workspace.stages)
  if (known?.store === store) return known
  const memory: WorkspaceMemory = { store, contracts: new Map(), loads: new Map(), characters: 0 }
  memories.set(workspace.stages, memory)
  return memory
}
