import { posix, resolve, sep } from 'node:path'
import type { Workspace, WorkspaceFiles } from './types.js'

/** An absolute path with `/`, whatever the system's separator. */
export function absolutePath(path: string): string {
  const absolute = resolve(path)
  return sep === '/' ? absolute : absolute.replaceAll(sep, '/')
}

/** `path` seen from `folder`, with `.` and `..` resolved and no `/` at the end. */
export function joinPath(folder: string, path: string): string {
  const joined = posix.join(folder, path)
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined
}

/** True for the folder itself and everything below it; compares text only. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The path as seen from a folder; `.` for the folder itself. */
export function relativePath(folder: string, path: string): string {
  return posix.relative(folder, path) || '.'
}

/** The path as seen from the workspace, for messages. */
export function shownPath(workspace: Pick<Workspace, 'root'>, path: string): string {
  const { root } = workspace
  // Most paths lie inside, and need no arithmetic.
  if (path.length > root.length + 1 && path.startsWith(root) && path[root.length] === '/')
    return path.slice(root.length + 1)
  return relativePath(root, path)
}

export function parentOf(path: string): string {
  return posix.dirname(path)
}

export function baseOf(path: string): string {
  return posix.basename(path)
}

/**
 * Whether a path stays inside a folder when every symbolic link is followed. For a path that does not exist yet
 * its nearest existing parent decides.
 */
export async function staysInside(files: WorkspaceFiles, folder: string, path: string): Promise<boolean> {
  if (!isInside(folder, path)) return false
  let existing = path
  while (existing !== folder && (await files.kindOf(existing)) === undefined) existing = parentOf(existing)
  return isInside(await files.realPath(folder), await files.realPath(existing))
}
