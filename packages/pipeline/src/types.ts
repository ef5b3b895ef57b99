import type { AgentEvent, AgentResult, StopCondition, ToolRunner } from '@icm/agent-loop'
import type { ChatModel } from '@icm/chat-model'
import type { LoadProblem, StageContext, StageRef, Workspace } from '@icm/context-loader'

/** The tools of one stage, already limited to what its contract allows. */
export interface StageTools extends ToolRunner {
  /** Parameters of a tool that hold an address; a failed call is then answered with addresses that are real. */
  addressParameters?(toolName: string): readonly string[]
  close?(): Promise<void>
}

export interface PipelineOptions {
  readonly workspace: Workspace
  /** A model, or what opens one: called once it is clear that there is something to run. */
  readonly model: ChatModel | (() => Promise<ChatModel>)
  /** Called for a stage whose contract lists tools, before its first turn, with the id of the run that it is part of. */
  readonly openTools?: (context: StageContext, run: string) => Promise<StageTools>
  /** Go through every gate. Default false: stop after one stage. */
  readonly all?: boolean
  /** Run this stage (name, number or unique part) instead of the next unfinished one. */
  readonly stage?: string
  /**
   * With `stage`: archive its outputs and run it again. `'reuse-items'` keeps finished for-each items whose request
   * is unchanged, `'fresh'` none.
   */
  readonly redo?: 'reuse-items' | 'fresh'
  readonly temperature?: number
  /** Tokens of one answer. Default: what the window leaves. */
  readonly maxOutputTokens?: number
  /** Tokens of one answer about one item of a For each. Default: `maxOutputTokens`. */
  readonly maxItemTokens?: number
  readonly seed?: number
  /** When the tool use of one turn ends and the output is written. Default: 12 tool calls, 16 turns. */
  readonly stopWhen?: readonly StopCondition[]
  readonly signal?: AbortSignal
}

/** A statement of an output that none of the stage's inputs and tool results contains. */
export interface UnsupportedClaim {
  readonly kind: 'url' | 'version' | 'model-tag' | 'port' | 'command'
  readonly text: string
  /** Line of the output, from 1. */
  readonly line: number
}

export interface StageUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly toolCalls: number
  readonly durationMs: number
}

export interface WrittenOutput {
  /** Relative to the workspace. */
  readonly path: string
  readonly characters: number
  readonly sha256: string
}

/** What a person needs between two stages. */
export interface Gate {
  readonly outputs: readonly WrittenOutput[]
  readonly claims: readonly UnsupportedClaim[]
  /** Outputs or items that hit a token limit and may be cut off. */
  readonly truncated: readonly string[]
  /** The contract's checkpoints, as questions. */
  readonly checkpoints: readonly string[]
  readonly next?: { readonly stage: string; readonly turns: number; readonly problem?: string }
  readonly stale: readonly StaleStage[]
}

/** A done stage whose inputs have changed since it ran. */
export interface StaleStage {
  readonly stage: string
  readonly reasons: readonly string[]
}

/** The agent's events that are passed on; `run-end` and `step-end` repeat whole conversations and are not. */
export type PassedAgentEvent = Exclude<AgentEvent, { type: 'run-end' } | { type: 'step-end' }>

export type PipelineEventBody =
  | {
      readonly type: 'run-start'
      readonly model: string
      readonly contextWindow?: number
      readonly resumed: boolean
    }
  | { readonly type: 'lock-taken-over'; readonly pid: number; readonly since: string }
  /** A file of the history that cannot be used; the run goes on without it. The path is relative to the workspace. */
  | { readonly type: 'state-ignored'; readonly path: string; readonly reason: string }
  | { readonly type: 'stage-skip'; readonly outputs: readonly string[] }
  | {
      readonly type: 'stage-start'
      readonly tokens: number
      readonly turns: number
      readonly forEach?: { readonly item: string; readonly path: string }
      readonly tools: readonly string[]
      readonly reads: readonly {
        readonly path: string
        readonly layer: number
        readonly tokens: number
        readonly sha256: string
      }[]
      readonly warnings: readonly string[]
    }
  | { readonly type: 'item-start'; readonly index: number; readonly total: number; readonly heading: string }
  | { readonly type: 'item-reused'; readonly index: number; readonly total: number; readonly heading: string }
  /** The model went on with the item of that heading; its text is cut off there. */
  | { readonly type: 'item-cut'; readonly index: number; readonly wentOnWith: string }
  | {
      readonly type: 'item-end'
      readonly index: number
      readonly total: number
      readonly heading: string
      readonly characters: number
    }
  | { readonly type: 'agent'; readonly event: PassedAgentEvent }
  | {
      readonly type: 'turn-end'
      readonly outcome: AgentResult['outcome']
      readonly stopReason?: string
      readonly truncated: boolean
      readonly inputTokens: number
      readonly outputTokens: number
    }
  | { readonly type: 'output-repair'; readonly reason: string }
  | ({ readonly type: 'output-written' } & WrittenOutput)
  | {
      readonly type: 'stage-end'
      readonly usage: StageUsage
      readonly claims: readonly UnsupportedClaim[]
      readonly truncated: readonly string[]
    }
  | { readonly type: 'stage-archived'; readonly paths: readonly string[] }
  | {
      readonly type: 'stage-failed'
      readonly code: string
      readonly what: string
      readonly why: string
      readonly instead: string
    }
  | ({ readonly type: 'gate' } & Gate)
  | {
      readonly type: 'run-end'
      readonly outcome: PipelineResult['outcome']
      readonly stale: readonly StaleStage[]
    }

/** Plain JSON, `v` is the format's version. The journal is this stream without the text deltas of a model. */
export type PipelineEvent = PipelineEventBody & {
  readonly v: 1
  readonly run: string
  readonly time: string
  readonly stage?: string
  readonly attempt?: number
  /** Index of the for-each item in hand, from 1. */
  readonly item?: number
}

/** What one stage of a run came to. */
export interface StageResult {
  readonly stage: string
  readonly outputs: readonly WrittenOutput[]
  readonly usage: StageUsage
  readonly claims: readonly UnsupportedClaim[]
  readonly truncated: readonly string[]
}

export interface PipelineResult {
  /** `gate`: a stage was run and others are left; `finished`: every stage is done. */
  readonly outcome: 'gate' | 'finished'
  /** Absent when there was nothing to run. */
  readonly run?: string
  /** Stages that this call ran, in order. */
  readonly stages: readonly StageResult[]
  /** Done stages that were made from other inputs than are there now; a redo brings them up to date. */
  readonly stale: readonly StaleStage[]
}

/** How far a stage is, read from the disk alone. */
export interface StageStatus {
  readonly stage: StageRef
  readonly state: 'done' | 'partial' | 'pending'
  /** Relative to the workspace. */
  readonly outputs: readonly { readonly path: string; readonly exists: boolean }[]
  /** For a for-each stage: items finished and saved, of how many. */
  readonly items?: { readonly finished: number; readonly total: number }
  /** Only for done stages: what changed since it ran. */
  readonly staleReasons: readonly string[]
  /** Only for stages that are not done: what keeps the stage from starting now. Empty when a run would start it. */
  readonly faults: readonly LoadProblem[]
  /** Files of its history that cannot be used, one line each; a run goes on without them. */
  readonly warnings: readonly string[]
  /** Real files in `output/` that no contract line names. */
  readonly foreignFiles: readonly string[]
  readonly context: StageContext
}
