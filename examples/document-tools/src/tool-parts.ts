import type { RememberedResults } from './remembered-results.js'

/** What the five tools share. */
export interface ToolParts {
  /** The folder that they work in; nothing outside is read or changed. */
  readonly root: string
  /** Where old names and earlier results are kept. */
  readonly stateFolder: string
  readonly results: RememberedResults
  /** Keeps a result for `recall_result` and gives it back. */
  remember(toolName: string, text: string): Promise<string>
}
