/**
 * Why a model file was not got. `wrong-checksum` means that the file has been deleted; after `cut-off`, `stalled` and
 * `disk-full` the part that came is kept, and the next attempt goes on from there.
 * @typedef {'hub-unreachable' | 'http-status' | 'unexpected-file' | 'stalled' | 'cut-off' | 'wrong-checksum'
 *   | 'disk-full' | 'not-writable' | 'busy' | 'no-pip' | 'pip-failed' | 'bad-package'} ModelFileErrorCode
 */

export class ModelFileError extends Error {
  /**
   * @param {ModelFileErrorCode} code
   * @param {string} message one or two sentences: what happened and, where there is one, what to do
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options)
    this.name = 'ModelFileError'
    this.code = code
  }
}

/**
 * The error for a failed write, or the error itself when it is no failed write.
 * @param {unknown} error
 * @param {string} path
 */
export function writeError(error, path) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ModelFileError('disk-full', `The disk of ${path} is full.`, { cause: error })
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new ModelFileError('not-writable', `${path} cannot be written (${code}).`, { cause: error })
  }
  return error
}
