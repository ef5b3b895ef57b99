import { IcmError } from '@icm/errors'
import { ContextLoaderError } from './errors.js'
import { nodeFiles } from './node-files.js'
import { readStageName } from './stage-names.js'
import type { StageRef, Workspace, WorkspaceFiles } from './types.js'
import { type Fault, faultProblem } from './workspace-faults.js'
import { absolutePath, isInside, joinPath, parentOf, relativePath, staysInside } from './workspace-paths.js'

export interface OpenWorkspaceOptions {
  /** Default: the disk. */
  readonly files?: WorkspaceFiles
  /** Nothing outside is ever read. Default: the enclosing git repository, else the workspace itself. */
  readonly allowedRoot?: string
}

/** The folders that may hold the stages, in the order in which they are tried; then the workspace itself. */
const stageContainers = ['pipeline', 'stages']

/**
 * Opens the folder of a workspace and lists its stages in running order; reads no contract.
 * Throws ContextLoaderError `context/no-workspace` when the folder is missing or has no stage,
 * `context/allowed-root` when the allowed root does not contain it. Other faults are in `problems`.
 */
export async function openWorkspace(root: string, options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  const files = options.files ?? nodeFiles()
  const folder = absolutePath(root)
  if ((await files.kindOf(folder)) !== 'folder') throw await noWorkspace(files, folder)
  const found = await findStages(files, folder)
  if (!found) throw await noWorkspace(files, folder)
  const allowedRoot = options.allowedRoot
    ? absolutePath(options.allowedRoot)
    : ((await enclosingRepository(files, folder)) ?? folder)
  if (!isInside(allowedRoot, folder)) throw outsideAllowedRoot(folder, allowedRoot)
  const layers = await readLayers(files, folder, allowedRoot)
  const outside = await outsideStages(files, found.stages, allowedRoot)
  const faults = [
    ...layers.faults,
    ...found.faults,
    ...outside.map((stage): Fault => ({ kind: 'escapes', path: stage.contractPath })),
  ]
  return {
    root: folder,
    allowedRoot,
    stagesFolder: found.stagesFolder,
    stages: found.stages.filter((stage) => !outside.includes(stage)),
    ...layers.paths,
    problems: faults.map((fault) => faultProblem(fault, (path) => relativePath(folder, path))),
    files,
  }
}

async function outsideStages(
  files: WorkspaceFiles,
  stages: readonly StageRef[],
  allowedRoot: string,
): Promise<StageRef[]> {
  const outside: StageRef[] = []
  for (const stage of stages) {
    // What cannot even be looked at stays a stage: reading its contract reports it.
    const inside = await staysInside(files, allowedRoot, stage.contractPath).catch(() => true)
    if (!inside) outside.push(stage)
  }
  return outside
}

/** True when `openWorkspace` would find at least one stage there. */
export async function isWorkspace(folder: string, files: WorkspaceFiles): Promise<boolean> {
  return (await files.kindOf(folder)) === 'folder' && (await findStages(files, folder)) !== undefined
}

interface FoundStages {
  readonly stagesFolder: string
  readonly stages: readonly StageRef[]
  readonly faults: readonly Fault[]
}

async function findStages(files: WorkspaceFiles, root: string): Promise<FoundStages | undefined> {
  let first: FoundStages | undefined
  for (const folder of [...stageContainers.map((name) => joinPath(root, name)), root]) {
    if (first && folder === root) break
    if ((await files.kindOf(folder)) !== 'folder') continue
    const found = await readStages(files, folder)
    if (found.stages.length === 0) continue
    if (!first) first = found
    else {
      const fault: Fault = { kind: 'second-container', path: folder, other: first.stagesFolder }
      first = { ...first, faults: [...first.faults, fault] }
    }
  }
  return first
}

async function readStages(files: WorkspaceFiles, folder: string): Promise<FoundStages> {
  const stages: StageRef[] = []
  const faults: Fault[] = []
  for (const name of await files.list(folder)) {
    const parts = readStageName(name)
    const path = joinPath(folder, name)
    if (!parts) continue
    try {
      if ((await files.kindOf(path)) !== 'folder') continue
      const contracts = (await files.list(path)).filter((entry) => entry.toLowerCase() === 'context.md')
      const contract = contracts.includes('CONTEXT.md') ? 'CONTEXT.md' : contracts[0]
      if (contracts.length > 1) faults.push({ kind: 'two-contracts', path })
      if (contract) stages.push({ name, ...parts, folder: path, contractPath: joinPath(path, contract) })
      else faults.push({ kind: 'no-contract', path })
    } catch (error) {
      if (!IcmError.isInstance(error)) throw error
      // One folder that cannot be read must not hide the others; as a stage it stops the run where it stands.
      faults.push({ kind: 'unreadable', path, reason: error.why })
      stages.push({ name, ...parts, folder: path, contractPath: joinPath(path, 'CONTEXT.md') })
    }
  }
  stages.sort(compareStages)
  for (const [index, stage] of stages.entries()) {
    const before = stages[index - 1]
    if (before && before.number === stage.number && before.letter === stage.letter) {
      faults.push({ kind: 'same-number', path: stage.folder, other: before.name })
    }
  }
  return { stagesFolder: folder, stages, faults }
}

function compareStages(left: StageRef, right: StageRef): number {
  if (left.number !== right.number) return left.number - right.number
  if (left.letter !== right.letter) return left.letter < right.letter ? -1 : 1
  return left.name < right.name ? -1 : 1
}

async function enclosingRepository(files: WorkspaceFiles, folder: string): Promise<string | undefined> {
  for (let current = folder; ; current = parentOf(current)) {
    if (await files.kindOf(joinPath(current, '.git'))) return current
    if (parentOf(current) === current) return undefined
  }
}

async function readLayers(
  files: WorkspaceFiles,
  root: string,
  allowedRoot: string,
): Promise<{ paths: { identityPath?: string; routingPath?: string }; faults: Fault[] }> {
  const faults: Fault[] = []
  const fileAt = async (name: string): Promise<string | undefined> => {
    const path = joinPath(root, name)
    if ((await files.kindOf(path)) !== 'file') return undefined
    if (await staysInside(files, allowedRoot, path)) return path
    faults.push({ kind: 'escapes', path })
    return undefined
  }
  const claude = await fileAt('CLAUDE.md')
  const agents = await fileAt('AGENTS.md')
  const routing = await fileAt('CONTEXT.md')
  const identity = claude ?? agents
  // One of them is often a link to the other: then there is nothing to choose.
  const same = claude && agents && (await files.realPath(claude)) === (await files.realPath(agents))
  if (claude && agents && !same) faults.push({ kind: 'two-identities', path: agents })
  return {
    paths: { ...(identity ? { identityPath: identity } : {}), ...(routing ? { routingPath: routing } : {}) },
    faults,
  }
}

async function noWorkspace(files: WorkspaceFiles, folder: string): Promise<ContextLoaderError> {
  const kind = await files.kindOf(folder)
  const entries = kind === 'folder' ? (await files.list(folder)).filter((name) => !name.startsWith('.')) : []
  const lookedIn = [...stageContainers.map((name) => joinPath(folder, name)), folder]
  const inside = kind === 'folder' ? await workspacesIn(files, folder) : []
  const holds =
    inside.length > 0
      ? `holds ${inside.length === 1 ? 'a workspace' : 'workspaces'}: ${shortList(inside)}`
      : entries.length === 0
        ? 'is empty'
        : `holds: ${shortList(entries)}`
  const why =
    kind === 'folder'
      ? `A stage is a numbered folder with a CONTEXT.md, such as pipeline/01-scope; none is in ${lookedIn.join(', ')}. The folder ${holds}.`
      : kind === 'file'
        ? 'A workspace is a folder; this is a file.'
        : 'The folder does not exist.'
  return new ContextLoaderError({
    code: 'context/no-workspace',
    what: `No workspace was found at "${folder}".`,
    why,
    instead:
      inside[0] === undefined
        ? 'Open the folder that holds the stages, or make a new one with "icm init".'
        : `Open one of them, for example "icm check --workspace ${shellWord(joinPath(folder, inside[0]))}".`,
    details: { folder, lookedIn, found: entries, workspaces: [...inside] },
  })
}

function shortList(names: readonly string[]): string {
  return `${names.slice(0, 8).join(', ')}${names.length > 8 ? ', ...' : ''}`
}

/** A path as a shell takes it for one word. */
function shellWord(path: string): string {
  return /^[\w./:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Folders of a repository that hold no workspaces of its own. */
const otherFolders = new Set(['node_modules', 'dist', 'build', 'archive'])

/** The workspaces up to two folders below a folder, as paths from there. */
async function workspacesIn(files: WorkspaceFiles, root: string): Promise<readonly string[]> {
  const found: string[] = []
  let level = ['']
  for (let depth = 0; depth < 2; depth++) {
    const next: string[] = []
    for (const parent of level) {
      for (const name of await files.list(joinPath(root, parent)).catch(() => [])) {
        if (name.startsWith('.') || otherFolders.has(name)) continue
        const path = parent === '' ? name : `${parent}/${name}`
        const kind = await files.kindOf(joinPath(root, path)).catch(() => undefined)
        if (kind !== 'folder' || !(await staysInside(files, root, joinPath(root, path)).catch(() => false)))
          continue
        const workspace = await isWorkspace(joinPath(root, path), files).catch(() => false)
        if (workspace) found.push(path)
        else next.push(path)
      }
    }
    level = next
  }
  return found.sort((left, right) => left.split('/').length - right.split('/').length)
}

function outsideAllowedRoot(folder: string, allowedRoot: string): ContextLoaderError {
  return new ContextLoaderError({
    code: 'context/allowed-root',
    what: `The workspace "${folder}" lies outside the allowed root "${allowedRoot}".`,
    why: 'Nothing outside the allowed root is read.',
    instead: `Set the allowed root to "${folder}" or a folder above it.`,
    details: { folder, allowedRoot },
  })
}
