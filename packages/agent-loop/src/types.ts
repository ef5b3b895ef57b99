import type {
  AssistantMessage,
  ChatEvent,
  ChatModel,
  FinishReason,
  Message,
  ToolCall,
  ToolSpec,
  Usage,
} from '@icm/chat-model'

export type ToolStatus = 'ok' | 'error' | 'needs_consent' | 'in_doubt'

/** A person's answer to a call that needed consent. Good for one call, the first that waits with this key. */
export interface Decision {
  readonly callKey: string
  readonly approved: boolean
  readonly note?: string
}

/** What a runner answers for one call. */
export interface ToolAnswer {
  readonly status: ToolStatus
  /** What the model reads. */
  readonly text: string
  /** Equal for calls with equal effective arguments; default: the name and the arguments as canonical JSON, hashed when long. */
  readonly callKey?: string
}

/** Where tools come from; a tool registry satisfies it structurally. */
export interface ToolRunner {
  specs(): readonly ToolSpec[]
  /**
   * Runs one call, whose name and arguments are as the model wrote them. What the model can mend (an unknown name, bad
   * arguments) is answered as `error`. A throw, other than of the aborted signal's reason, counts as `in_doubt`.
   */
  run(
    call: ToolCall,
    options: { readonly signal?: AbortSignal; readonly decision?: Decision },
  ): Promise<ToolAnswer>
  /**
   * The key that `run` would answer for this call, without running it; lets the stuck guard see through aliases and
   * stringified numbers before the call runs.
   */
  keyOf?(call: ToolCall): string | Promise<string>
  /** True for tools whose repetition means something (next page, wait): the stuck guard leaves them alone. */
  isRepeatable?(toolName: string): boolean
}

/**
 * Why the loop answered a call without running it: the third of the same calls, the run was over, a person said no, or
 * an equal call may already have taken effect.
 */
export type NotRun = 'stuck' | 'cut-short' | 'declined' | 'in-doubt'

/** One call with its answer. */
export interface ToolStep {
  readonly call: ToolCall
  readonly answer: Required<ToolAnswer>
  readonly durationMs: number
  readonly recovered: boolean
  readonly notRun?: NotRun
}

/** One model answer and what came of it. Counts from 1. */
export interface AgentStep {
  readonly step: number
  /** As it stands in the history: calls found in the text are `toolCalls` here. */
  readonly message: AssistantMessage
  readonly usage: Usage
  readonly tools: readonly ToolStep[]
}

/** Why to stop, in words for a person and the journal; false to go on. Checked before each step and each call. */
export type StopCondition = (run: {
  /** Whole steps only. */
  readonly steps: readonly AgentStep[]
  /** Calls that were executed or wait for a person, those of the step in hand included. */
  readonly toolCalls: number
  readonly elapsedMs: number
  readonly outputTokens: number
}) => string | false

/** Goes on with a run that was suspended, or that a journal brought back (`restoreRun`). */
export interface Resume {
  /** The steps so far: caps, the stuck guard and the keys of waiting calls go on from them. */
  readonly steps: readonly AgentStep[]
  /** A waiting call without a decision is put to the runner again, and so to the person. */
  readonly decisions: readonly Decision[]
}

export interface TooEarly {
  /** What to do first, in words for the model; sent when it answered nevertheless. */
  readonly prompt: string
  /** The tool to call first; by default the model chooses. */
  readonly tool?: string
}

export interface AgentOptions {
  readonly model: ChatModel
  /** The conversation so far; the loop appends, it never changes what is there. */
  readonly messages: readonly Message[]
  readonly tools?: ToolRunner
  /** With the `messages` of the suspended run: its open calls are answered first, and nothing is run twice. */
  readonly resume?: Resume
  /**
   * Why an answer now would come too early (small models write from memory what they were told to look up); undefined
   * when it may come. Asked before every request, which then asks for a call where the adapter can force one, and for
   * every answer, which is sent back at most three times.
   */
  readonly tooEarly?: (steps: readonly AgentStep[]) => TooEarly | undefined
  /** Default: `[maxSteps(10)]`. A stuck guard is always on. */
  readonly stopWhen?: StopCondition | readonly StopCondition[]
  /** What a run that is cut short does: one last tool-free answer, or return as it stands. Default `'return'`. */
  readonly onStop?: 'synthesize' | 'return'
  /** The last user message of a synthesis; a default text asks for the final output. */
  readonly synthesizePrompt?: string
  /** The user message after a first blank answer; a default text asks for a call or for the final answer. */
  readonly emptyPrompt?: string
  readonly temperature?: number
  readonly maxOutputTokens?: number
  readonly seed?: number
  readonly signal?: AbortSignal
}

export interface PendingCall {
  readonly call: ToolCall
  readonly callKey: string
  readonly text: string
}

export interface AgentResult {
  readonly outcome: 'answered' | 'synthesized' | 'suspended' | 'stopped'
  /** Present unless the outcome is `answered`. */
  readonly stopReason?: string
  /** Calls that wait for a person; only when suspended. */
  readonly pending?: readonly PendingCall[]
  /** The last answer hit a token limit and is not whole. */
  readonly truncated: boolean
  readonly text: string
  readonly messages: readonly Message[]
  readonly steps: readonly AgentStep[]
  /** Sums over every answer of the run, the synthesis included. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

/** Plain JSON. Exactly one `run-end`, or a throw (abort, infrastructure) and no terminal event. */
export type AgentEvent =
  | { readonly type: 'run-start'; readonly tools: readonly string[] }
  /** The tools' definitions take more than a quarter of the window; `tokens` is an estimate. */
  | {
      readonly type: 'many-tools'
      readonly tools: number
      readonly tokens: number
      readonly contextWindow: number
    }
  | { readonly type: 'step-start'; readonly step: number }
  | { readonly type: 'model'; readonly step: number; readonly event: Exclude<ChatEvent, { type: 'finish' }> }
  | { readonly type: 'repetition'; readonly step: number; readonly removedCharacters: number }
  | {
      readonly type: 'message-end'
      readonly step: number
      readonly message: AssistantMessage
      readonly reason: FinishReason
      readonly usage: Usage
      /** The text as the model wrote it, when calls were read from it. */
      readonly recoveredFrom?: string
      /** The text stays out of the history, where it would read like evidence; an empty one stands for it. */
      readonly discarded?: 'invented-result' | 'too-early'
    }
  | {
      readonly type: 'tool-start'
      readonly step: number
      readonly call: ToolCall
      readonly callKey: string
      readonly recovered: boolean
    }
  | {
      readonly type: 'tool-end'
      readonly step: number
      readonly call: ToolCall
      readonly status: ToolStatus
      readonly text: string
      readonly callKey: string
      readonly durationMs: number
      readonly notRun?: NotRun
    }
  | {
      readonly type: 'nudge'
      readonly step: number
      readonly reason: 'empty' | 'invented-result' | 'too-early'
      /** The user message that was added. */
      readonly prompt: string
    }
  /** The answer failed and is asked for once more, with another request; with `prompt`, a user message was added. */
  | { readonly type: 'retry'; readonly step: number; readonly reason: string; readonly prompt?: string }
  | { readonly type: 'step-end'; readonly step: AgentStep }
  | { readonly type: 'synthesis-start'; readonly reason: string; readonly prompt: string }
  | { readonly type: 'compaction'; readonly shortenedResults: number; readonly removedCharacters: number }
  | { readonly type: 'run-end'; readonly result: AgentResult }
