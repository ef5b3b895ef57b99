import type { StageRef, Workspace } from '@icm/context-loader'
import type { TurnSettings } from './run-turn.js'
import type { StateFolder } from './state-folder.js'
import type { PipelineEventBody, PipelineOptions } from './types.js'

/** One attempt at one stage. */
export interface StageRun {
  readonly workspace: Workspace
  readonly stage: StageRef
  readonly folder: StateFolder
  readonly run: string
  readonly attempt: number
  readonly settings: TurnSettings
  readonly openTools: PipelineOptions['openTools']
  readonly redo: PipelineOptions['redo']
}

/** What the parts of a stage yield; `item` is the for-each item in hand. */
export type StageEvents<Result> = AsyncGenerator<PipelineEventBody & { readonly item?: number }, Result, void>
