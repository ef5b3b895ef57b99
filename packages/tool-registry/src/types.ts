import type { ToolCall, ToolSpec } from '@icm/chat-model'
import type { JsonObject, Problem } from '@icm/errors'
import type { Infer, JsonSchema, Schema } from '@icm/json-schema'

/** Who may see a tool: a `sandbox` session sees only tools that declare `trust: 'sandbox'`. */
export type Trust = 'host' | 'sandbox'

export interface ToolContext {
  readonly signal: AbortSignal
  /** Reports how far a long call is; hosts show it. */
  readonly onProgress?: (progress: { readonly done: number; readonly total?: number; readonly note?: string }) => void
}

/** What a tool may answer: text, or an object that is shown as JSON. */
export type ToolResult = string | JsonObject

/**
 * A tool, with everything that decides how it may be called. What is not declared falls to the safe side:
 * not idempotent, an unknown radius (a person must consent), trust `host`, output `untrusted`, 2,000 characters.
 */
export interface Tool<Input = unknown> {
  /** verb_noun in snake case, distinct from every other tool. */
  readonly name: string
  /** What it returns, what happens at the edges, which tool comes next, an example, what is rejected. */
  readonly description: string
  readonly input: Schema<Input> | JsonSchema
  /** Other names that models use, per parameter: `{ path: ['file', 'filepath'] }`. */
  readonly aliases?: { readonly [parameter: string]: readonly string[] }
  /** Characters of an observation; default 2,000. */
  readonly limit?: number
  readonly idempotent?: boolean
  /** Repeating it means something (scroll, next page, wait): exempt from the stuck guard. */
  readonly repeatable?: boolean
  /** Sends or deletes. */
  readonly irreversible?: boolean
  readonly trust?: Trust
  readonly output?: 'trusted' | 'untrusted'
  /** Default 30,000. */
  readonly timeoutMs?: number
  /** Parameters that hold an address (URL), so that callers can watch where a stage goes. */
  readonly addressParameters?: readonly string[]
  /** Objects that this call would change, from its arguments; 0 is a read. */
  readonly blastRadius?: (input: Input, context: ToolContext) => number | Promise<number>
  /** Says what the call would do, without doing it. */
  readonly dryRun?: (input: Input, context: ToolContext) => string | Promise<string>
  readonly run: (input: Input, context: ToolContext) => ToolResult | Promise<ToolResult>
}

/** A tool whose input type is erased, as a registry holds it. Made by `defineTool` only. */
export type AnyTool = Tool<never> | Tool<unknown>

export type ToolInput<S extends Schema | JsonSchema> = S extends Schema ? Infer<S> : JsonObject

export type ToolProblemCode =
  | 'tool/unknown'
  | 'tool/bad-arguments'
  | 'tool/failed'
  | 'tool/timed-out'
  | 'tool/aborted'
  | 'tool/rejected'

/** A person's answer to a consent request. */
export interface Decision {
  readonly callKey: string
  readonly approved: boolean
  readonly note?: string
}

/** What a person must decide on: exactly these arguments, nothing else. */
export interface ConsentRequest {
  readonly callKey: string
  readonly toolName: string
  readonly arguments: JsonObject
  /** Undefined: the tool does not say how much it touches. */
  readonly objects?: number
  readonly irreversible: boolean
  readonly dryRun?: string
  readonly reason: string
}

interface OutcomeBase {
  readonly callId: string
  /** SHA-256 of tool name and effective arguments, 16 hex digits. */
  readonly callKey: string
  readonly toolName: string
  readonly durationMs: number
  /** What was mended in the arguments, one sentence each. */
  readonly repairs: readonly string[]
  /** What the model reads. */
  readonly text: string
}

export type ToolOutcome = OutcomeBase &
  (
    | { readonly status: 'ok'; readonly trimmedCharacters: number }
    | { readonly status: 'error' | 'in_doubt'; readonly problem: Problem<ToolProblemCode> }
    | { readonly status: 'needs_consent'; readonly request: ConsentRequest }
  )

export interface RunCallOptions {
  readonly signal?: AbortSignal
  readonly decision?: Decision
}

/** The set of tools of one session. Satisfies the agent loop's `ToolRunner` structurally. */
export interface ToolRegistry {
  /** In the order of definition, so that what was sent before stays a prefix. */
  specs(): readonly ToolSpec[]
  /** The full definition of a visible tool. */
  get(name: string): AnyTool | undefined
  run(call: ToolCall, options?: RunCallOptions): Promise<ToolOutcome>
}
