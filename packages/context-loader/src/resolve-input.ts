import { isExternalPath } from '@icm/contract-parser'
import { isPattern, segmentPattern } from './path-patterns.js'
import type { InputMatch, ResolvedInput, StageRef, Workspace } from './types.js'
import { isInside, joinPath, parentOf, shownPath, staysInside } from './workspace-paths.js'

/**
 * Finds what a path of a contract names; the first place that has it wins. `./` and `../` mean the stage folder;
 * `/x` the nearest folder from the workspace up to the allowed root that has `x`; a bare name behind another path
 * is tried beside that one; any other path is tried in the stage folder, the workspace and the allowed root.
 * Placeholders and `*` match the files that are there. Nothing outside the allowed root is found, also not through links.
 */
export async function resolveInput(
  workspace: Workspace,
  stage: StageRef,
  path: string,
  options: { readonly siblingOf?: string } = {},
): Promise<ResolvedInput> {
  if (isExternalPath(path)) return { status: 'external', lookedIn: [] }
  const candidates = inputCandidates(workspace, stage, path, options.siblingOf)
  for (const candidate of candidates) {
    if (!isInside(workspace.allowedRoot, candidate))
      return { status: 'escapes', leadsTo: candidate, lookedIn: lookedIn() }
    const matches = await matchesOf(workspace, candidate, path.endsWith('/'))
    for (const match of matches) {
      const contained = await staysInside(workspace.files, workspace.allowedRoot, match.path)
      if (!contained) {
        const leadsTo = await workspace.files.realPath(match.path)
        return { status: 'escapes', leadsTo, lookedIn: lookedIn() }
      }
    }
    if (matches.length > 1 && !path.includes('*'))
      return { status: 'ambiguous', matches, lookedIn: lookedIn() }
    if (matches.length > 0) return { status: 'found', matches, lookedIn: lookedIn() }
  }
  return { status: 'missing', lookedIn: lookedIn() }

  function lookedIn(): string[] {
    return candidates.map((candidate) => shownPath(workspace, candidate))
  }
}

/** The first of `inputCandidates`, for a path that does not begin with `/`. */
export function firstCandidate({ root, stagesFolder }: Workspace, stage: StageRef, path: string): string {
  const folder = !path.startsWith('.') && inStages(root, stagesFolder, path) ? root : stage.folder
  // Nothing to be resolved in most paths.
  return dots.test(path) ? joinPath(folder, path) : `${folder}/${path}`
}

const dots = /(?:^|\/)\.|\/\//

function inStages(root: string, stagesFolder: string, path: string): boolean {
  return stagesFolder !== root && path.startsWith(`${stagesFolder.slice(root.length + 1)}/`)
}

/** The absolute places where a path may be, in order; see `resolveInput`. */
export function inputCandidates(
  workspace: Workspace,
  stage: StageRef,
  path: string,
  siblingOf?: string,
): readonly string[] {
  const { root, allowedRoot, stagesFolder } = workspace
  if (path.startsWith('/')) {
    const folders = [root]
    while (folders.at(-1) !== allowedRoot && isInside(allowedRoot, folders.at(-1) ?? '')) {
      folders.push(parentOf(folders.at(-1) ?? root))
    }
    return folders.map((folder) => joinPath(folder, path.slice(1)))
  }
  if (/^\.\.?(?:\/|$)/.test(path)) return [joinPath(stage.folder, path)]
  const beside = siblingOf
    ? inputCandidates(workspace, stage, siblingOf).map((place) => joinPath(parentOf(place), path))
    : []
  const folders = inStages(root, stagesFolder, path) ? [root] : [stage.folder, root, allowedRoot]
  return [...new Set([...beside, ...folders.map((folder) => joinPath(folder, path))])]
}

async function matchesOf(
  workspace: Workspace,
  candidate: string,
  folderOnly: boolean,
): Promise<InputMatch[]> {
  const { files, allowedRoot } = workspace
  const kind = await files.kindOf(candidate)
  if (kind && (kind === 'folder' || !folderOnly)) return [{ path: candidate, kind }]
  const rest = candidate
    .slice(allowedRoot.length)
    .split('/')
    .filter((segment) => segment !== '')
  if (!isPattern(rest.join('/'))) return []
  let paths = [allowedRoot]
  for (const segment of rest)
    paths = (await Promise.all(paths.map((path) => matchSegment(workspace, path, segment)))).flat()
  const matches: InputMatch[] = []
  for (const path of paths) {
    const found = await files.kindOf(path)
    if (found && (found === 'folder' || !folderOnly)) matches.push({ path, kind: found })
  }
  return matches
}

async function matchSegment(workspace: Workspace, folder: string, segment: string): Promise<string[]> {
  if (!isPattern(segment)) return [joinPath(folder, segment)]
  if ((await workspace.files.kindOf(folder)) !== 'folder') return []
  // A folder behind a link that leads out is not even listed; as a match it is refused.
  if (!(await staysInside(workspace.files, workspace.allowedRoot, folder))) return [folder]
  const pattern = segmentPattern(segment)
  const names = (await workspace.files.list(folder)).filter(
    (name) => !name.startsWith('.') && pattern.test(name),
  )
  return names.map((name) => joinPath(folder, name))
}
