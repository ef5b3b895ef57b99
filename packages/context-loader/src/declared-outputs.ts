import type { ContractOutput, StageContract } from '@icm/contract-parser'
import { snapshotOf } from './observe-files.js'
import { outputPlace } from './output-place.js'
import { isPattern, samePlace } from './path-patterns.js'
import { readContract } from './read-contract.js'
import type { StageRef, Workspace, WorkspaceFiles } from './types.js'
import { memoryOf } from './workspace-memory.js'
import { isInside, parentOf } from './workspace-paths.js'

/** An output as a contract declares it, with its absolute place. */
export interface DeclaredOutput {
  readonly stage: StageRef
  /** The stage's position in running order, from 0. */
  readonly order: number
  readonly place: string
  readonly folder: boolean
  readonly output: ContractOutput
}

/** What all contracts of a workspace together declare to write. */
export interface DeclaredOutputs {
  readonly all: readonly DeclaredOutput[]
  /** The outputs that a path can mean, in running order: the file itself, a folder above it, or files below it. */
  writersOf(place: string): readonly DeclaredOutput[]
  /** The outputs that lie directly in a folder. */
  inFolder(folder: string): readonly DeclaredOutput[]
}

/** Reads the outputs of all stages; contracts that have not changed are not parsed again. */
export async function declaredOutputs(workspace: Workspace): Promise<DeclaredOutputs> {
  const contracts: StageContract[] = []
  for (const stage of workspace.stages) contracts.push((await readContract(workspace, stage)).contract)
  const memory = memoryOf(workspace)
  const before = memory.declared
  const same =
    before?.contracts.length === contracts.length &&
    contracts.every((contract, index) => contract === before.contracts[index])
  if (before && same) return before.outputs
  const all = workspace.stages.flatMap((stage, order) =>
    (contracts[order]?.outputs ?? []).map(
      (output): DeclaredOutput => ({
        stage,
        order,
        output,
        place: outputPlace(workspace, stage, output.path),
        folder: output.path.endsWith('/'),
      }),
    ),
  )
  const outputs = indexOutputs(all, workspace.root)
  memory.declared = { contracts, outputs }
  return outputs
}

const inSnapshots = new WeakMap<WorkspaceFiles, Promise<DeclaredOutputs>>()

/**
 * Reads the outputs of all stages at the first call and gives the same ones at every later call; for a snapshot of a
 * workspace once for all its stages.
 */
export function declaredOnce(workspace: Workspace): () => Promise<DeclaredOutputs> {
  let declared: Promise<DeclaredOutputs> | undefined
  return () => {
    const snapshot = snapshotOf(workspace.files)
    declared ??= snapshot && inSnapshots.get(snapshot)
    declared ??= declaredOutputs(workspace)
    if (snapshot) inSnapshots.set(snapshot, declared)
    return declared
  }
}

function indexOutputs(all: readonly DeclaredOutput[], root: string): DeclaredOutputs {
  const exact = new Map<string, DeclaredOutput[]>()
  const below = new Map<string, DeclaredOutput[]>()
  const inFolder = new Map<string, DeclaredOutput[]>()
  const patterns = all.filter((output) => isPattern(output.place))
  for (const output of all) {
    push(exact, output.place, output)
    push(inFolder, parentOf(output.place), output)
    for (let folder = parentOf(output.place); isInside(root, folder); folder = parentOf(folder)) {
      push(below, folder, output)
      if (folder === root) break
    }
  }
  const writersOf = (place: string): readonly DeclaredOutput[] => {
    // A pattern can mean any output; a plain path is looked up.
    if (isPattern(place)) return all.filter((output) => writes(output, place))
    const found = new Set([...(exact.get(place) ?? []), ...(below.get(place) ?? [])])
    for (const output of patterns) if (writes(output, place)) found.add(output)
    for (let folder = parentOf(place); isInside(root, folder) && folder !== root; folder = parentOf(folder)) {
      for (const output of exact.get(folder) ?? []) if (output.folder) found.add(output)
    }
    return [...found].sort((left, right) => left.order - right.order)
  }
  return { all, writersOf, inFolder: (folder) => inFolder.get(folder) ?? [] }
}

function push(map: Map<string, DeclaredOutput[]>, key: string, output: DeclaredOutput): void {
  const list = map.get(key)
  if (list) list.push(output)
  else map.set(key, [output])
}

function writes(output: DeclaredOutput, place: string): boolean {
  if (samePlace(output.place, place)) return true
  // A declared folder holds whatever is asked for in it; a folder that is asked for holds what is declared in it.
  return output.folder
    ? isInside(output.place, place) || isInside(place, output.place)
    : isInside(place, output.place)
}
