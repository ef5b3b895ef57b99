import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { sep } from 'node:path'
import { ContextLoaderError } from './errors.js'
import { withPlainFiles } from './plain-files.js'
import type { FileStamp, PlainFile, WorkspaceFiles } from './types.js'

/**
 * The disk as a store of workspace files. Throws `context/unreadable` where something is there but cannot be read.
 * The calls block: a small file takes some ten microseconds that way, several times less than through the thread pool,
 * and no number of stages runs out of file handles.
 */
export function nodeFiles(): WorkspaceFiles {
  const files: WorkspaceFiles = {
    kindOf: async (path) => stampAt(path)?.kind,
    stampOf: async (path) => stampAt(path),
    list: async (path) => {
      const names = attempt(path, () => readdirSync(path))
      return names.sort((left, right) => (left < right ? -1 : 1))
    },
    readText: async (path) => attempt(path, () => readFileSync(path, 'utf8')),
    readBytes: async (path) => attempt(path, () => readFileSync(path)),
    modifiedMs: async (path) => attempt(path, () => statSync(path).mtimeMs),
    realPath: async (path) => {
      const real = attempt(path, () => realpathSync.native(path))
      return sep === '/' ? real : real.replaceAll(sep, '/')
    },
  }
  const flags = openFlags
  return flags === undefined ? files : withPlainFiles(files, (path) => plainFileAt(path, flags))
}

/**
 * Refuses a link, and does not wait for the other end of a pipe. Windows cannot refuse links: there every file takes the
 * longer way.
 */
const openFlags =
  constants.O_NOFOLLOW && constants.O_NONBLOCK
    ? constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    : undefined

/** Most files fit: then no buffer is made for them. */
const shared = { bytes: 65_536, buffer: undefined as Buffer | undefined }

/** Opens a file once for its state and its text: half the time of looking first and reading then. */
function plainFileAt(path: string, flags: number): PlainFile | undefined {
  let handle: number
  try {
    handle = openSync(path, flags)
  } catch {
    return undefined // whoever takes the longer way finds the reason
  }
  try {
    const stamp = stampOfStats(fstatSync(handle))
    if (stamp?.kind !== 'file') return undefined
    shared.buffer ??= Buffer.allocUnsafeSlow(shared.bytes)
    const buffer = stamp.size < shared.bytes ? shared.buffer : Buffer.allocUnsafe(stamp.size + 1)
    // One byte more than there should be: a file that grows meanwhile is not taken for whole.
    if (readSync(handle, buffer, 0, stamp.size + 1, null) !== stamp.size) return undefined
    const text = buffer.toString('utf8', 0, stamp.size)
    return text.includes('\uFFFD') || text.includes('\0') ? undefined : { text, stamp }
  } catch {
    return undefined
  } finally {
    closeSync(handle)
  }
}

function stampAt(path: string): FileStamp | undefined {
  let entry: Stats | undefined
  try {
    entry = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // No file can have such a name: a NUL in it, too long, or a link that leads to itself.
    if (['ERR_INVALID_ARG_VALUE', 'ENAMETOOLONG', 'ELOOP', 'ENOTDIR'].includes(codeOf(error)))
      return undefined
    throw unreadable(path, error)
  }
  return entry && stampOfStats(entry)
}

function stampOfStats(entry: Stats): FileStamp | undefined {
  const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : undefined
  if (!kind) return undefined
  const { mtimeMs, ctimeMs, size, ino } = entry
  return { kind, modifiedMs: mtimeMs, changedMs: ctimeMs, size, id: ino }
}

function attempt<Value>(path: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw unreadable(path, error)
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

const reasons: { readonly [code: string]: string } = {
  EACCES: 'This user has no permission to read it.',
  EPERM: 'This user has no permission to read it.',
  EISDIR: 'It is a folder, not a file.',
  ENOENT: 'Nothing is there.',
  ENOTDIR: 'A part of the path is a file, not a folder.',
}

function unreadable(path: string, cause: unknown): ContextLoaderError {
  const code = codeOf(cause)
  const denied = code === 'EACCES' || code === 'EPERM'
  return new ContextLoaderError(
    {
      code: 'context/unreadable',
      what: `"${path}" could not be read${code === '' ? '' : ` (${code})`}.`,
      why: reasons[code] ?? 'The operating system refused.',
      instead: denied ? `Give read permission on "${path}".` : `Check that "${path}" is readable.`,
      details: { path, ...(code === '' ? {} : { systemCode: code }) },
    },
    { cause },
  )
}
