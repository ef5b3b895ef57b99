import { nearestName } from '@icm/errors'
import { type DeclaredOutput, type DeclaredOutputs, declaredOutputs } from './declared-outputs.js'
import { orderOf } from './find-stage.js'
import { isPattern, segmentPattern } from './path-patterns.js'
import { inputCandidates } from './resolve-input.js'
import { readStageName } from './stage-names.js'
import type { InputHint, StageRef, Workspace } from './types.js'
import { baseOf, isInside, joinPath, parentOf, relativePath, staysInside } from './workspace-paths.js'

export interface HintOptions {
  readonly siblingOf?: string
  /** The outputs of all stages. Default: read from their contracts, at each call. */
  readonly declared?: () => Promise<DeclaredOutputs>
}

interface Wanted {
  readonly workspace: Workspace
  readonly stage: StageRef
  readonly path: string
  readonly candidates: readonly string[]
  readonly declared: DeclaredOutputs
}

/**
 * What to say about an input that is not there: the stage that names it as an output, and the nearest path that exists
 * or will. Tried for the latter: other upper and lower case, a `../` too many or too few, a stage folder renamed under
 * the same number, a placeholder at another depth, a similar name in the same folder, the same name in the workspace's
 * usual folders. Reads contracts; changes nothing.
 */
export async function hintForInput(
  workspace: Workspace,
  stage: StageRef,
  path: string,
  options: HintOptions = {},
): Promise<InputHint> {
  const declared = await (options.declared ?? (() => declaredOutputs(workspace)))()
  const candidates = inputCandidates(workspace, stage, path, options.siblingOf)
  const wanted: Wanted = { workspace, stage, path, candidates, declared }
  const writers = candidates.flatMap((candidate) => declared.writersOf(candidate))
  const order = orderOf(workspace, stage.name)
  const others = writers.filter((output) => output.stage.name !== stage.name)
  const writer = others.find((output) => output.order < order) ?? others[0]
  // Even when a stage is to write it: the file may be there already, under a slightly different name.
  const nearest = writer ? await nearestSibling(wanted, false) : await nearestPath(wanted)
  return {
    ...(writer ? { producer: writer.stage.name } : {}),
    ...(!writer && writers.length > 0 ? { own: true } : {}),
    ...(nearest ? { nearest: relativePath(stage.folder, nearest) } : {}),
  }
}

async function nearestPath(wanted: Wanted): Promise<string | undefined> {
  const { workspace, stage, path, candidates, declared } = wanted
  for (const candidate of candidates) {
    const other = await otherCase(workspace, candidate)
    if (other) return other
  }
  const places = [
    ...respelledPlaces(workspace, stage, path),
    ...shiftedPlaces(stage, path),
    ...renamedPlaces(workspace, candidates),
  ]
  for (const place of places) {
    if (!isInside(workspace.allowedRoot, place)) continue
    if ((await workspace.files.kindOf(place)) || declared.writersOf(place).length > 0) return place
  }
  return (
    otherDepth(wanted) ??
    (await nearestSibling(wanted, true)) ??
    earlierOutput(wanted) ??
    usualPlace(workspace, stage, baseOf(path))
  )
}

/** The path as it is spelt on the disk, when only upper and lower case differ. */
async function otherCase(workspace: Workspace, candidate: string): Promise<string | undefined> {
  const { allowedRoot } = workspace
  if (!isInside(allowedRoot, candidate)) return undefined
  let place = allowedRoot
  for (const segment of relativePath(allowedRoot, candidate).split('/')) {
    const names = await namesOnDisk(workspace, place)
    const name = names.includes(segment)
      ? segment
      : names.find((other) => other.toLowerCase() === segment.toLowerCase())
    if (!name) return undefined
    place = joinPath(place, name)
  }
  return place === candidate ? undefined : place
}

/** With `/` for `\\`, and as seen from the folder of the stages. */
function respelledPlaces({ stagesFolder, root }: Workspace, stage: StageRef, path: string): string[] {
  const slashed = path.replaceAll('\\', '/')
  const other = slashed === path ? [] : [joinPath(stage.folder, slashed), joinPath(root, slashed)]
  return slashed.startsWith('.') || slashed.startsWith('/')
    ? other
    : [...other, joinPath(stagesFolder, slashed)]
}

/** A bare name that an earlier stage writes; the latest such stage. */
function earlierOutput({ workspace, stage, path, declared }: Wanted): string | undefined {
  if (path.includes('/') || isPattern(path)) return undefined
  const order = orderOf(workspace, stage.name)
  return declared.all.findLast((output) => output.order < order && baseOf(output.place) === path)?.place
}

/** The path with up to two `../` more, and with one less. */
function shiftedPlaces(stage: StageRef, path: string): string[] {
  if (!path.startsWith('../')) return []
  return [`../${path}`, path.slice(3), `../../${path}`].map((shifted) => joinPath(stage.folder, shifted))
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

/** An output of another stage with the same name in the same part of the workspace, but more or fewer folders deep. */
function otherDepth({ workspace, stage, candidates, declared }: Wanted): string | undefined {
  for (const candidate of candidates) {
    const part = partOf(workspace, candidate)
    const name = segmentPattern(baseOf(candidate))
    const same = declared.all.find(
      (output) =>
        output.stage.name !== stage.name &&
        !output.folder &&
        part !== undefined &&
        partOf(workspace, output.place) === part &&
        (isPattern(candidate) || isPattern(output.place)) &&
        name.test(baseOf(output.place)),
    )
    if (same) return same.place
  }
  return undefined
}

/** The stage folder, or the first folder of the workspace, that a path lies in. */
function partOf({ root, stagesFolder }: Workspace, path: string): string | undefined {
  const base = isInside(stagesFolder, path) ? stagesFolder : root
  if (!isInside(base, path)) return undefined
  const [folder = '', ...rest] = relativePath(base, path).split('/')
  return rest.length === 0 ? undefined : joinPath(base, folder)
}

/** A similar name in the folder where the path leads, on the disk or (`written`) among the outputs of other stages. */
async function nearestSibling(
  { workspace, stage, candidates, declared }: Wanted,
  written: boolean,
): Promise<string | undefined> {
  for (const candidate of candidates) {
    const folder = parentOf(candidate)
    const outputs = written ? declared.inFolder(folder) : []
    const others = outputs.filter((output: DeclaredOutput) => output.stage.name !== stage.name)
    const names = [...(await namesOnDisk(workspace, folder)), ...others.map((output) => baseOf(output.place))]
    const nearest = nearestName(
      baseOf(candidate),
      names.filter((name) => name !== baseOf(candidate)),
    )
    if (nearest) return joinPath(folder, nearest)
  }
  return undefined
}

async function namesOnDisk({ files, allowedRoot }: Workspace, folder: string): Promise<readonly string[]> {
  if (!isInside(allowedRoot, folder) || (await files.kindOf(folder)) !== 'folder') return []
  if (!(await staysInside(files, allowedRoot, folder))) return []
  return (await files.list(folder)).filter((name) => !name.startsWith('.'))
}

async function usualPlace(workspace: Workspace, stage: StageRef, name: string): Promise<string | undefined> {
  const folders = [
    ...['references', 'output'].map((folder) => joinPath(stage.folder, folder)),
    ...['_config', 'shared', 'references', 'setup'].map((folder) => joinPath(workspace.root, folder)),
  ]
  for (const folder of folders) {
    const nearest = nearestName(name, await namesOnDisk(workspace, folder))
    if (nearest) return joinPath(folder, nearest)
  }
  return undefined
}
