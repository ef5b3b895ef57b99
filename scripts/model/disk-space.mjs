import { statfs } from 'node:fs/promises'
import { formatBytes } from './format-bytes.mjs'
import { ModelFileError } from './model-file-error.mjs'

/**
 * Throws `disk-full` when the disk of a folder has less than `bytes` free.
 * @param {string} folder
 * @param {number} bytes
 */
export async function requireDiskSpace(folder, bytes) {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  throw new ModelFileError(
    'disk-full',
    `${formatBytes(bytes)} are needed in ${folder}, and ${formatBytes(free)} are free. Free some space, or set XDG_CACHE_HOME to a folder on a larger disk.`,
  )
}
