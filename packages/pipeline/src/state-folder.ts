import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workspace } from '@icm/context-loader'
import { makeFolder, writeFileAtomically } from '@icm/safe-files'
import { PipelineError } from './errors.js'

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
  provenance(stage: string): string
  archiveFolder(stage: string): string
}

/** The paths of a workspace's `.icm/`, whether it exists or not. */
export function stateFolder(workspace: Pick<Workspace, 'root'>): StateFolder {
  const root = join(workspace.root, '.icm')
  return {
    root,
    lock: join(root, 'lock'),
    runRecord: join(root, 'run.json'),
    runFolder: (run) => join(root, 'runs', run),
    journal: (run) => join(root, 'runs', run, 'journal.jsonl'),
    stageFolder: (stage) => join(root, 'stages', stage),
    itemsFolder: (stage) => join(root, 'stages', stage, 'items'),
    provenance: (stage) => join(root, 'stages', stage, 'provenance.json'),
    archiveFolder: (stage) => join(root, 'archive', stage),
  }
}

/**
 * Makes `.icm/` (git-ignored by its own file) if it is not there. Throws `pipeline/newer-state` and touches nothing
 * when a newer version of this program has written it.
 */
export async function ensureStateFolder(workspace: Pick<Workspace, 'root'>): Promise<StateFolder> {
  const folder = stateFolder(workspace)
  await checkStateVersion(folder)
  await makeFolder(folder.root)
  const versionFile = join(folder.root, 'version')
  if (!(await exists(versionFile))) {
    await writeFileAtomically(join(folder.root, '.gitignore'), '*\n')
    await writeFileAtomically(versionFile, `${stateVersion}\n`)
  }
  return folder
}

/** Throws `pipeline/newer-state` when `.icm/` is of a format that this program does not know. */
export async function checkStateVersion(folder: StateFolder): Promise<void> {
  const text = await readFile(join(folder.root, 'version'), 'utf8').catch(() => String(stateVersion))
  if (Number(text) <= stateVersion) return
  throw new PipelineError({
    code: 'pipeline/newer-state',
    what: `The workspace's history has format ${text.trim()}, and nothing was changed.`,
    why: `This version of icm knows formats up to ${stateVersion}.`,
    instead: `Update icm, or move ${folder.root} away to start without its history (outputs stay where they are).`,
  })
}

/** True when something lies at the path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A JSON file's value, undefined when there is no file. A file that cannot be parsed is an error, never a fresh start. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PipelineError(
      {
        code: 'pipeline/corrupt-state',
        what: `${path} could not be read, and nothing was changed.`,
        why: `It is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
        instead: 'Look at the file and mend it, or move it away to go on without that part of the history.',
      },
      { cause },
    )
  }
}
