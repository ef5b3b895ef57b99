import { withPlainFiles } from './plain-files.js'
import type { FileStamp, PlainFile, Workspace, WorkspaceFiles } from './types.js'

/** A store that looks at every path once, and what it has seen so far. */
export interface ObservedFiles {
  readonly files: WorkspaceFiles
  /** Path → its state when it was first looked at; undefined where nothing was. */
  readonly seen: ReadonlyMap<string, FileStamp | undefined>
}

const stores = new WeakMap<WorkspaceFiles, WorkspaceFiles>()
const snapshots = new WeakMap<WorkspaceFiles, WorkspaceFiles>()

/** The snapshot that a store is or stands on: in it nothing ever changes. */
export function snapshotOf(files: WorkspaceFiles): WorkspaceFiles | undefined {
  return snapshots.get(files)
}

/** The store that an observed one stands on; the store itself for any other. */
export function storeOf(files: WorkspaceFiles): WorkspaceFiles {
  return stores.get(files) ?? files
}

/**
 * Wraps a store so that every path is looked at once and every folder listed once; with `keepContents` every file is
 * also read once. A store without `stampOf` comes back as it is, and nothing is recorded.
 */
export function observeFiles(
  files: WorkspaceFiles,
  options: { readonly keepContents?: boolean } = {},
): ObservedFiles {
  const seen = new Map<string, FileStamp | undefined>()
  const stampOf = files.stampOf?.bind(files)
  if (!stampOf) return { files, seen }
  const lists = new Map<string, Promise<readonly string[]>>()
  const realPaths = new Map<string, Promise<string>>()
  const texts = new Map<string, Promise<string>>()
  const contents = new Map<string, Promise<Uint8Array>>()
  const plain = new Map<string, PlainFile | undefined>()
  const look = async (path: string): Promise<FileStamp | undefined> => {
    if (seen.has(path)) return seen.get(path)
    const stamp = await stampOf(path)
    seen.set(path, stamp)
    return stamp
  }
  const observed: WorkspaceFiles = {
    ...files,
    stampOf: look,
    kindOf: async (path) => (await look(path))?.kind,
    // The state comes before the content: a change in between shows as a newer state the next time.
    list: async (path) => {
      await look(path)
      return once(lists, path, () => files.list(path))
    },
    readText: async (path) => {
      await look(path)
      const known = plain.get(path)
      if (known) return known.text
      return options.keepContents ? once(texts, path, () => files.readText(path)) : files.readText(path)
    },
    modifiedMs: async (path) => (await look(path))?.modifiedMs ?? files.modifiedMs(path),
    realPath: (path) => once(realPaths, path, () => files.realPath(path)),
  }
  const readPlainFile = files.readPlainFile?.bind(files)
  if (readPlainFile) {
    withPlainFiles(observed, (path) => {
      if (plain.has(path)) return plain.get(path)
      const file = readPlainFile(path)
      if (file && !seen.has(path)) seen.set(path, file.stamp)
      if (options.keepContents) plain.set(path, file)
      return file
    })
  }
  const readBytes = files.readBytes?.bind(files)
  if (readBytes) {
    observed.readBytes = async (path) => {
      await look(path)
      const known = plain.get(path)
      if (known) return Buffer.from(known.text)
      return options.keepContents ? once(contents, path, () => readBytes(path)) : readBytes(path)
    }
  }
  stores.set(observed, storeOf(files))
  const snapshot = options.keepContents ? observed : snapshotOf(files)
  if (snapshot) snapshots.set(observed, snapshot)
  return { files: observed, seen }
}

function once<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

/**
 * The same workspace with every look at the disk made only once, and every file read once: what one command does with
 * many stages is then one consistent picture. Later changes are not seen; take a new snapshot for the next command.
 */
export function snapshotWorkspace(workspace: Workspace): Workspace {
  return { ...workspace, files: observeFiles(workspace.files, { keepContents: true }).files }
}

/** Whether a file's state is as it was. */
export function sameStamp(left: FileStamp | undefined, right: FileStamp | undefined): boolean {
  if (left === right) return true
  if (!left || !right) return false
  return (
    left.modifiedMs === right.modifiedMs &&
    left.size === right.size &&
    left.changedMs === right.changedMs &&
    left.id === right.id &&
    left.kind === right.kind
  )
}

/** The coarsest clock of a file system in use (FAT): a second change within it can leave the stamp as it was. */
const clockMs = 2000

/** Whether a state is old enough that the next change must show in it. */
export function isSettled(stamp: FileStamp | undefined, nowMs: number): boolean {
  return stamp === undefined || nowMs - Math.max(stamp.modifiedMs, stamp.changedMs) > clockMs
}
