import { IcmError } from '@icm/errors'

export type SafeFilesErrorCode =
  | 'file/disk-full'
  | 'file/read-only'
  | 'file/write-failed'
  | 'file/exists'
  | 'file/in-the-way'
  | 'path/escapes-root'
  | 'path/invalid'
  | 'lock/held'

/** Thrown by every function of this package. */
export class SafeFilesError extends IcmError<SafeFilesErrorCode> {}

/** The system's short error name such as `ENOSPC`, or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Turns a system error of a write into one that says what to do. */
export function writeError(path: string, cause: unknown): SafeFilesError {
  const code = systemErrorCode(cause)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new SafeFilesError(
      {
        code: 'file/disk-full',
        what: `${path} was not written.`,
        why: 'The disk is full; nothing was changed there.',
        instead: 'Free some space on that disk and run the same command again.',
        details: { path },
      },
      { cause },
    )
  }
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return new SafeFilesError(
      {
        code: 'file/read-only',
        what: `${path} was not written.`,
        why: code === 'EROFS' ? 'The file system is read-only.' : 'This user may not write there.',
        instead: 'Give yourself the right to write in that folder, or use a copy of the workspace elsewhere.',
        details: { path },
      },
      { cause },
    )
  }
  if (code === 'EISDIR') return inTheWay(path, path, 'a folder', cause)
  if (code === 'EEXIST') {
    return new SafeFilesError(
      {
        code: 'file/exists',
        what: `${path} was not written.`,
        why: 'Something is there already.',
        instead: 'Look at it; move or delete it if it may go.',
        details: { path },
      },
      { cause },
    )
  }
  return new SafeFilesError(
    {
      code: 'file/write-failed',
      what: `${path} was not written.`,
      why: `The system answered: ${cause instanceof Error ? cause.message : String(cause)}.`,
      instead: 'Check the path and the disk, then run the same command again.',
      details: { path },
    },
    { cause },
  )
}

/** The error of a path that cannot be made because something of the wrong kind stands there or above it. */
export function inTheWay(path: string, obstacle: string, kind: string, cause?: unknown): SafeFilesError {
  return new SafeFilesError(
    {
      code: 'file/in-the-way',
      what: `${path} was not written.`,
      why: obstacle === path ? `There is ${kind} in its place.` : `${obstacle} is ${kind}, not a folder.`,
      instead: `Move ${obstacle} away, or choose another path.`,
      details: { path, obstacle },
    },
    { cause },
  )
}
