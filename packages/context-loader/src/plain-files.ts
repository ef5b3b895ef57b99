import type { PlainFile, WorkspaceFiles } from './types.js'

/**
 * Gives a store a short cut for ordinary text files. It is not copied by `{ ...store }`: an object that puts another
 * `readBytes` or `readText` over a store would otherwise be passed by.
 */
export function withPlainFiles(
  files: WorkspaceFiles,
  readPlainFile: (path: string) => PlainFile | undefined,
): WorkspaceFiles {
  return Object.defineProperty(files, 'readPlainFile', { value: readPlainFile, enumerable: false })
}
