import { nearestName } from '@icm/errors'
import { samePlace } from './path-patterns.js'
import { readContract } from './read-contract.js'
import { inputCandidates } from './resolve-input.js'
import { outputPlace } from './resolve-outputs.js'
import { readStageName } from './stage-names.js'
import type { InputHint, StageRef, Workspace } from './types.js'
import { baseOf, isInside, joinPath, parentOf, relativePath } from './workspace-paths.js'

/** An output as a contract declares it, with its absolute place. */
export interface DeclaredOutput {
  readonly stage: StageRef
  readonly place: string
  readonly folder: boolean
}

export interface HintOptions {
  readonly siblingOf?: string
  /** The outputs of all stages. Default: read from their contracts, at each call. */
  readonly declared?: () => Promise<readonly DeclaredOutput[]>
}

/**
 * What to say about an input that is not there: the stage that names it as an output, and the nearest path that exists
 * or will. Tried for the latter: a `../` too many or too few, a stage folder renamed under the same number, a similar
 * name in the same folder, the same name in the workspace's usual folders. Reads contracts; changes nothing.
 */
export async function hintForInput(
  workspace: Workspace,
  stage: StageRef,
  path: string,
  options: HintOptions = {},
): Promise<InputHint> {
  const declared = await (options.declared ?? (() => declaredOutputs(workspace)))()
  const candidates = inputCandidates(workspace, stage, path, options.siblingOf)
  const others = declared.filter((output) => output.stage.name !== stage.name)
  const producer = others.find((output) => candidates.some((candidate) => writes(output, candidate)))?.stage
    .name
  // Even when a stage is to write it: the file may be there already, under a slightly different name.
  const nearest = producer
    ? await nearestSibling(workspace, candidates, [])
    : await nearestPath(workspace, stage, path, candidates, others)
  return {
    ...(producer ? { producer } : {}),
    ...(nearest ? { nearest: relativePath(stage.folder, nearest) } : {}),
  }
}

/** Reads the outputs of all stages at the first call and gives the same ones at every later call. */
export function declaredOnce(workspace: Workspace): () => Promise<readonly DeclaredOutput[]> {
  let declared: Promise<readonly DeclaredOutput[]> | undefined
  return () => {
    declared ??= declaredOutputs(workspace)
    return declared
  }
}

async function declaredOutputs(workspace: Workspace): Promise<readonly DeclaredOutput[]> {
  const read = await Promise.all(workspace.stages.map((stage) => readContract(workspace, stage)))
  return read.flatMap(({ stage, contract }) =>
    contract.outputs.map((output) => ({
      stage,
      place: outputPlace(workspace, stage, output.path),
      folder: output.path.endsWith('/'),
    })),
  )
}

function writes(output: DeclaredOutput, candidate: string): boolean {
  if (samePlace(output.place, candidate)) return true
  // A declared folder holds whatever is asked for in it; a folder that is asked for holds what is declared in it.
  return output.folder ? isInside(output.place, candidate) : isInside(candidate, output.place)
}

async function nearestPath(
  workspace: Workspace,
  stage: StageRef,
  path: string,
  candidates: readonly string[],
  declared: readonly DeclaredOutput[],
): Promise<string | undefined> {
  const { files, allowedRoot } = workspace
  const there = async (place: string) =>
    isInside(allowedRoot, place) &&
    ((await files.kindOf(place)) !== undefined || declared.some((output) => samePlace(output.place, place)))
  for (const place of [...shiftedPlaces(stage, path), ...renamedPlaces(workspace, candidates)]) {
    if (await there(place)) return place
  }
  return (await nearestSibling(workspace, candidates, declared)) ?? usualPlace(workspace, stage, baseOf(path))
}

async function nearestSibling(
  workspace: Workspace,
  candidates: readonly string[],
  declared: readonly DeclaredOutput[],
): Promise<string | undefined> {
  for (const candidate of candidates) {
    const folder = parentOf(candidate)
    const nearest = nearestName(baseOf(candidate), await namesIn(workspace, folder, declared))
    if (nearest) return joinPath(folder, nearest)
  }
  return undefined
}

/** The path with one `../` more, and with one less. */
function shiftedPlaces(stage: StageRef, path: string): string[] {
  if (!path.startsWith('../')) return []
  return [joinPath(stage.folder, `../${path}`), joinPath(stage.folder, path.slice(3))]
}

function renamedPlaces(workspace: Workspace, candidates: readonly string[]): string[] {
  const { stagesFolder, stages } = workspace
  return candidates.flatMap((candidate) => {
    if (!isInside(stagesFolder, candidate)) return []
    const [folder = '', ...rest] = relativePath(stagesFolder, candidate).split('/')
    const wanted = readStageName(folder)
    const renamed = stages.filter(
      (other) =>
        wanted && other.name !== folder && other.number === wanted.number && other.letter === wanted.letter,
    )
    return renamed.map((other) => joinPath(other.folder, rest.join('/')))
  })
}

async function namesIn(
  workspace: Workspace,
  folder: string,
  declared: readonly DeclaredOutput[],
): Promise<readonly string[]> {
  if (!isInside(workspace.allowedRoot, folder)) return []
  const listed = (await workspace.files.kindOf(folder)) === 'folder' ? await workspace.files.list(folder) : []
  const written = declared
    .filter((output) => parentOf(output.place) === folder)
    .map((output) => baseOf(output.place))
  return [...new Set([...listed.filter((name) => !name.startsWith('.')), ...written])]
}

async function usualPlace(workspace: Workspace, stage: StageRef, name: string): Promise<string | undefined> {
  const folders = [
    ...['references', 'output'].map((folder) => joinPath(stage.folder, folder)),
    ...['_config', 'shared', 'references', 'setup'].map((folder) => joinPath(workspace.root, folder)),
  ]
  for (const folder of folders) {
    const nearest = nearestName(name, await namesIn(workspace, folder, []))
    if (nearest) return joinPath(folder, nearest)
  }
  return undefined
}
