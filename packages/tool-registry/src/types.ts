import type { ToolCall, ToolSpec } from '@icm/chat-model'
import type { JsonObject, Problem } from '@icm/errors'
import type { Infer, JsonSchema, Schema } from '@icm/json-schema'

/** Who may see a tool: a `sandbox` session sees only tools that declare `trust: 'sandbox'`. */
export type Trust = 'host' | 'sandbox'

/** How far a long call is. */
export interface ToolProgress {
  readonly done: number
  readonly total?: number
  readonly note?: string
}

export interface ToolContext {
  /** Fires when the caller aborts or the time is up. */
  readonly signal: AbortSignal
  /** Reports how far a long call is: hosts show it, and it starts the tool's `timeoutMs` anew. */
  readonly onProgress?: (progress: ToolProgress) => void
}

/** What a tool may answer: text, or an object that is shown as JSON. */
export type ToolResult = string | JsonObject

/**
 * A tool, with everything that decides how it may be called. What is not declared falls to the safe side:
 * not idempotent, an unknown radius (a person must consent), trust `host`, output `untrusted`, 2,000 characters.
 */
export interface Tool<Input = unknown> {
  /** verb_noun in snake case, distinct from every other tool; letters, digits, `_`, `-`, at most 64. */
  readonly name: string
  /** What it returns, what happens at the edges, which tool comes next, an example, what is rejected. */
  readonly description: string
  readonly input: Schema<Input> | JsonSchema
  /** Names that also mean this tool where only one tool of the registry has them (a name without its prefix). */
  readonly otherNames?: readonly string[]
  /** Other names that models use, per parameter: `{ path: ['file', 'filepath'] }`. */
  readonly aliases?: { readonly [parameter: string]: readonly string[] }
  /** Characters (UTF-16 code units) of an observation, the trimming notice included; default 2,000. */
  readonly limit?: number
  /** How to get the part that trimming removed, as one instruction to the model; at most 200 characters. */
  readonly whenTrimmed?: string
  readonly idempotent?: boolean
  /** Repeating it means something (scroll, next page, wait): exempt from the stuck guard. */
  readonly repeatable?: boolean
  /** Sends or deletes. */
  readonly irreversible?: boolean
  readonly trust?: Trust
  readonly output?: 'trusted' | 'untrusted'
  /** Time without an answer or a progress report; default 30,000. */
  readonly timeoutMs?: number
  /** Time in all, however much progress is reported; default ten times `timeoutMs`. */
  readonly maxDurationMs?: number
  /** Parameters that hold an address (URL), so that callers can watch where a stage goes. */
  readonly addressParameters?: readonly string[]
  /**
   * Objects that this call would change, from its arguments; 0 is a read. A function without parameters says that
   * the number is the same for every call; servers then announce it.
   */
  blastRadius?(input: Input, context: ToolContext): number | Promise<number>
  /** Says what the call would do, without doing it. */
  dryRun?(input: Input, context: ToolContext): string | Promise<string>
  run(input: Input, context: ToolContext): ToolResult | Promise<ToolResult>
}

/** A tool as `defineTool` takes it: the type of its input comes from the schema. */
export type ToolDefinition<S extends Schema | JsonSchema> = Omit<Tool<ToolInput<S>>, 'input'> & {
  readonly input: S
}

/**
 * A tool whose input type is erased, as a registry holds it. Sound because a registry validates the arguments with
 * the tool's own schema before it calls it (the methods of `Tool` are compared bivariantly, so any tool fits).
 */
export type AnyTool = Tool

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
  /** Its abort is rethrown untouched, except when a non-idempotent call had already started: then `in_doubt`. */
  readonly signal?: AbortSignal
  readonly decision?: Decision
  readonly onProgress?: (progress: ToolProgress) => void
  /** Whether untrusted output is fenced for a model; false where another host does it. Default true. */
  readonly fence?: boolean
}

/** What a session may use. */
export interface ToolSession {
  /** Default `'sandbox'`: only tools that declare `trust: 'sandbox'` exist. */
  readonly trust?: Trust
  /** Limits the session to these tools. */
  readonly only?: readonly string[]
}

export interface ToolRegistryOptions {
  readonly tools: readonly AnyTool[]
  readonly session?: ToolSession
  /** Objects from which on a call needs a person's consent; default 10. */
  readonly consentAt?: number
  /** Aliases for every tool that has the parameter; a tool's own names win. */
  readonly aliases?: { readonly [parameter: string]: readonly string[] }
}

/** The set of tools of one session. Satisfies the agent loop's `ToolRunner` structurally. */
export interface ToolRegistry {
  /** In the order of definition, so that what was sent before stays a prefix. */
  specs(): readonly ToolSpec[]
  /** The full definition of a visible tool. */
  get(name: string): AnyTool | undefined
  /** The key that `run` would give this call (after repairs), without running it. The agent loop's stuck guard asks. */
  keyOf(call: ToolCall): Promise<string>
  /** True for tools that declare `repeatable`; false for an unknown tool. */
  isRepeatable(toolName: string): boolean
  /**
   * Runs one call. What a model can repair, a person must decide or nobody knows comes back as data; only an abort
   * is thrown (`signal.reason`, untouched).
   */
  run(call: ToolCall, options?: RunCallOptions): Promise<ToolOutcome>
}
