import { join } from 'node:path'
import type { AnyTool } from '@icm/tool-registry'
import { findDocumentsTool } from './find-documents.js'
import { type AllowedPrograms, defaultPrograms } from './programs.js'
import { readDocumentTool } from './read-document.js'
import { recallResultTool } from './recall-result.js'
import { openRememberedResults } from './remembered-results.js'
import { renameDocumentsTool } from './rename-documents.js'
import { runProgramTool } from './run-program.js'
import type { ToolParts } from './tool-parts.js'

export interface DocumentToolsOptions {
  /** The folder of documents. Nothing outside is read or changed, also through links. */
  readonly root: string
  /** Where results and old names are kept; default `.document-tools` in the folder, which the tools never list. */
  readonly stateFolder?: string
  /** What `run_program` may run; at least one. Default: wc, sort, diff, sha256sum, gzip. */
  readonly programs?: AllowedPrograms
}

/** The five tools of one folder: read, find, rename, run, recall. Reads and writes nothing yet. */
export function openDocumentTools(options: DocumentToolsOptions): readonly AnyTool[] {
  const stateFolder = options.stateFolder ?? join(options.root, '.document-tools')
  const results = openRememberedResults(join(stateFolder, 'results'))
  const parts: ToolParts = {
    root: options.root,
    stateFolder,
    results,
    remember: async (toolName, text) => {
      // A model can do without its memory; a full disk must not take the result away.
      await results.save(toolName, text).catch(() => undefined)
      return text
    },
  }
  return [
    readDocumentTool(parts),
    findDocumentsTool(parts),
    renameDocumentsTool(parts),
    runProgramTool(parts, options.programs ?? defaultPrograms),
    recallResultTool(parts),
  ]
}
