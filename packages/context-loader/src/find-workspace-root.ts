import { nodeFiles } from './node-files.js'
import { isWorkspace } from './open-workspace.js'
import type { WorkspaceFiles } from './types.js'
import { absolutePath, joinPath, parentOf } from './workspace-paths.js'

/**
 * Finds the workspace that a person means when standing in a folder: the folder itself, else its `workspace/`,
 * else the nearest parent that is one; undefined when there is none. A folder that only holds the stages of
 * the workspace above it (`pipeline/`) counts as being inside that workspace.
 */
export async function findWorkspaceRoot(
  start: string,
  options: { readonly files?: WorkspaceFiles } = {},
): Promise<string | undefined> {
  const files = options.files ?? nodeFiles()
  const folder = absolutePath(start)
  if (await isWorkspace(folder, files)) return wholeWorkspace(folder, files)
  const inner = joinPath(folder, 'workspace')
  if (await isWorkspace(inner, files)) return inner
  for (let current = folder; parentOf(current) !== current; ) {
    current = parentOf(current)
    if (await isWorkspace(current, files)) return wholeWorkspace(current, files)
  }
  return undefined
}

async function wholeWorkspace(folder: string, files: WorkspaceFiles): Promise<string> {
  const container = /\/(?:pipeline|stages)$/.test(folder)
  return container && (await isWorkspace(parentOf(folder), files)) ? parentOf(folder) : folder
}
