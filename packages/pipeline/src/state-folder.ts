import { lstat, readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Workspace } from '@icm/context-loader'
import { makeFolder, systemErrorCode, writeFileAtomically } from '@icm/safe-files'
import { PipelineError } from './errors.js'
import { corruptState, readStateText, required } from './state-file.js'

/** The format of everything in `.icm/`. */
const stateVersion = 1

/** Where the history of a workspace lies. Nothing here decides whether a stage is done: the outputs do. */
export interface StateFolder {
  readonly root: string
  readonly lock: string
  readonly runRecord: string
  runFolder(run: string): string
  journal(run: string): string
  stageFolder(stage: string): string
  itemsFolder(stage: string): string
  attempts(stage: string): string
  provenance(stage: string): string
  archiveFolder(stage: string): string
}

/**
 * The paths of a workspace's `.icm/`, whether it exists or not. Throws `pipeline/invalid-name` for a run or a stage
 * whose name is a path: what is written there must not land elsewhere.
 */
export function stateFolder(workspace: Pick<Workspace, 'root'>): StateFolder {
  const root = join(workspace.root, '.icm')
  const below = (folder: string, name: string, ...rest: readonly string[]) =>
    join(root, folder, oneName(name), ...rest)
  return {
    root,
    lock: join(root, 'lock'),
    runRecord: join(root, 'run.json'),
    runFolder: (run) => below('runs', run),
    journal: (run) => below('runs', run, 'journal.jsonl'),
    stageFolder: (stage) => below('stages', stage),
    itemsFolder: (stage) => below('stages', stage, 'items'),
    attempts: (stage) => below('stages', stage, 'attempts.json'),
    provenance: (stage) => below('stages', stage, 'provenance.json'),
    archiveFolder: (stage) => below('archive', stage),
  }
}

/** Whether a text is the name of one file or folder, not a path. */
export function isName(text: unknown): text is string {
  return typeof text === 'string' && !/^\.{0,2}$|[/\0]/.test(text) && !text.includes(sep)
}

function oneName(name: string): string {
  if (isName(name)) return name
  throw new PipelineError({
    code: 'pipeline/invalid-name',
    what: `${JSON.stringify(name)} was not looked up in the workspace's history.`,
    why: 'A run and a stage are named by one name, not by a path.',
    instead: 'Give the name alone, such as "02-outline".',
  })
}

/**
 * Makes `.icm/` (git-ignored by its own file) if it is not there. Throws like `checkStateFolder`, and then nothing
 * was touched.
 */
export async function ensureStateFolder(workspace: Pick<Workspace, 'root'>): Promise<StateFolder> {
  const folder = stateFolder(workspace)
  await checkStateFolder(folder)
  await makeFolder(folder.root)
  const versionFile = join(folder.root, 'version')
  if (!(await exists(versionFile))) {
    await writeFileAtomically(join(folder.root, '.gitignore'), '*\n')
    await writeFileAtomically(versionFile, `${stateVersion}\n`)
  }
  return folder
}

/**
 * Throws `pipeline/unsafe-state` when `.icm/` or a folder in it is a link or no folder, `pipeline/newer-state` when it
 * is of a format that this program does not know, `pipeline/corrupt-state` when its format cannot be told. Reads only.
 */
export async function checkStateFolder(folder: StateFolder): Promise<void> {
  await refuseLinks(folder.root)
  for (const name of ['runs', 'stages', 'archive']) await refuseLinks(join(folder.root, name))
  const path = join(folder.root, 'version')
  const text = required(path, await readStateText(path))?.trim() ?? String(stateVersion)
  if (!/^\d+$/.test(text)) throw corruptState(path, 'It does not hold the number of a format.')
  if (Number(text) <= stateVersion) return
  throw new PipelineError({
    code: 'pipeline/newer-state',
    what: `The workspace's history has format ${text}, and nothing was changed.`,
    why: `This version of icm knows formats up to ${stateVersion}.`,
    instead: `Update icm, or move ${folder.root} away to start without its history (outputs stay where they are).`,
  })
}

/**
 * Throws `pipeline/unsafe-state` when a folder of the history, or an entry of it, is a symbolic link, or when it is no
 * folder: a workspace from elsewhere could otherwise make the runner write outside of it. No folder: nothing.
 */
export async function refuseLinks(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return
  if (found.isSymbolicLink()) throw unsafeState(path, 'a symbolic link')
  if (!found.isDirectory()) throw unsafeState(path, 'no folder')
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw corruptState(path, `The system answered ${systemErrorCode(error) ?? 'with an error'}.`)
  })
  const link = entries.find((entry) => entry.isSymbolicLink())
  if (link !== undefined) throw unsafeState(join(path, link.name), 'a symbolic link')
}

function unsafeState(path: string, kind: string): PipelineError {
  return new PipelineError({
    code: 'pipeline/unsafe-state',
    what: `${path} is ${kind}, and nothing was changed.`,
    why: 'The history of a workspace is written into real folders inside it, nowhere else.',
    instead: `Move ${path} away and run the same command again (outputs stay where they are).`,
    details: { path },
  })
}

/** True when something lies at the path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
