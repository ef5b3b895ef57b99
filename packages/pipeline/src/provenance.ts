import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import type { StageContext, Workspace } from '@icm/context-loader'
import { writeFileAtomically } from '@icm/safe-files'
import { isCount, isObject, isText, listOf, optional, shapeOf } from './shape.js'
import { readStateFile, type StateFile } from './state-file.js'
import type { StateFolder } from './state-folder.js'
import type { StageUsage, WrittenOutput } from './types.js'

/** What a stage's output was made from. Paths are relative to the workspace and use `/`. */
export interface Provenance {
  readonly run: string
  readonly attempt: number
  /** Absent while the stage runs, and after a crash in it. */
  readonly finishedAt?: string
  readonly model: string
  readonly options: {
    readonly temperature?: number
    readonly maxOutputTokens?: number
    readonly seed?: number
  }
  readonly contractSha256: string
  readonly reads: readonly { readonly path: string; readonly sha256: string }[]
  readonly outputs?: readonly WrittenOutput[]
  readonly usage?: StageUsage
}

/** SHA-256 of a text or of bytes, in hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** A path inside or beside the workspace, relative to it and with `/` on every system. */
export function workspacePath(workspace: Pick<Workspace, 'root'>, path: string): string {
  return relative(workspace.root, path).split(sep).join('/')
}

/** Every file that a context was made from, once, with its hash; the for-each source among them. */
export async function readsOf(workspace: Workspace, context: StageContext): Promise<Provenance['reads']> {
  const reads = new Map(context.parts.map((part) => [workspacePath(workspace, part.path), part.sha256]))
  if (context.forEachPath !== undefined) {
    const { files } = workspace
    const source = await (files.readBytes?.(context.forEachPath) ?? files.readText(context.forEachPath))
    reads.set(workspacePath(workspace, context.forEachPath), sha256(source))
  }
  reads.delete(workspacePath(workspace, context.stage.contractPath))
  return [...reads].map(([path, hash]) => ({ path, sha256: hash }))
}

/** Hash of the stage's contract as it was read. */
export function contractHash(context: StageContext): string {
  return context.parts.find((part) => part.path === context.stage.contractPath)?.sha256 ?? ''
}

export async function writeProvenance(
  folder: StateFolder,
  stage: string,
  provenance: Provenance,
): Promise<void> {
  await writeFileAtomically(folder.provenance(stage), `${JSON.stringify(provenance, null, 2)}\n`)
}

const isProvenance = shapeOf<Provenance>({
  run: isText,
  attempt: isCount,
  finishedAt: optional(isText),
  model: isText,
  options: isObject,
  contractSha256: isText,
  reads: listOf(shapeOf<Provenance['reads'][number]>({ path: isText, sha256: isText })),
  outputs: optional(listOf(isObject)),
  usage: optional(isObject),
})

export function readProvenance(folder: StateFolder, stage: string): Promise<StateFile<Provenance>> {
  return readStateFile(folder.provenance(stage), isProvenance)
}

/**
 * What changed since a stage ran, one reason each: its contract, a file that it read, a file that it would read now.
 * Compared by hash, so that touching a file changes nothing.
 */
export async function staleReasons(
  workspace: Workspace,
  context: StageContext,
  provenance: Provenance,
): Promise<readonly string[]> {
  const before = new Map(provenance.reads.map((read) => [read.path, read.sha256]))
  const now = new Map((await readsOf(workspace, context)).map((read) => [read.path, read.sha256]))
  const reasons = [...now].flatMap(([path, hash]) => {
    if (!before.has(path)) return [`${path} is read now`]
    return before.get(path) === hash ? [] : [`${path} changed`]
  })
  const gone = [...before.keys()]
    .filter((path) => !now.has(path))
    .map((path) => `${path} is no longer read or is missing`)
  const contract = contractHash(context) === provenance.contractSha256 ? [] : ['its contract changed']
  return [...contract, ...reasons, ...gone]
}
