import type { ToolCall, ToolSpec } from '@icm/chat-model'
import type { JsonObject, Problem } from '@icm/errors'
import type { Infer, JsonSchema, Schema } from '@icm/json-schema'
import type { EffectStore } from './effect-store.js'
import type { InputSchema } from './input-schema.js'
import type { ObservationStore } from './observation-store.js'
import type { Zod3Like } from './zod3-schema.js'

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
  /** Like `whenTrimmed`, worked out from the call and from what was cut: the call that gives the missing part. */
  nextCall?(input: Input, cut: TrimmedPart): string
  /** A structural summary that stands for a result over the limit; undefined when the text has no such structure. */
  summarize?(text: string, input: Input): string | undefined
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
   * Objects that this call would change, from its arguments; 0 is a read. Throw a computed error (`IcmError`) for a call
   * that cannot be carried out, such as a wrong path: the model reads it, nobody is asked. A function without parameters says that
   * the number is the same for every call; servers then announce it.
   */
  blastRadius?(input: Input, context: ToolContext): number | Promise<number>
  /** Says what the call would do, without doing it. */
  dryRun?(input: Input, context: ToolContext): string | Promise<string>
  /** Says where what this call would change can be had back, undefined when nowhere. */
  backup?(input: Input, context: ToolContext): string | undefined | Promise<string | undefined>
  run(input: Input, context: ToolContext): ToolResult | Promise<ToolResult>
}

/** The part of a text that trimming removed. Lines count from 1. */
export interface TrimmedPart {
  readonly characters: number
  readonly fromLine: number
  readonly toLine: number
  readonly lines: number
}

/** How much a call touches: 0, 1, 2 to 9, from `consentAt` on, for good, or nobody says. */
export type BlastLevel = 'none' | 'point' | 'local' | 'wide' | 'irreversible' | 'unknown'

/** A tool as `defineTool` takes it: the type of its input comes from the schema. */
export type ToolDefinition<S extends InputSchema> = Omit<Tool<ToolInput<S>>, 'input'> & {
  readonly input: S
}

/**
 * A tool whose input type is erased, as a registry holds it. Sound because a registry validates the arguments with
 * the tool's own schema before it calls it (the methods of `Tool` are compared bivariantly, so any tool fits).
 */
export type AnyTool = Tool

export type ToolInput<S extends InputSchema> = S extends Schema
  ? Infer<S>
  : S extends Zod3Like<infer Output>
    ? Output
    : JsonObject

export type ToolProblemCode =
  | 'tool/unknown'
  | 'tool/bad-arguments'
  | 'tool/failed'
  | 'tool/timed-out'
  | 'tool/aborted'
  | 'tool/rejected'
  | 'tool/in-doubt'
  | 'tool/in-progress'

/** A person's answer to a consent request. A registry takes each decision object once. */
export interface Decision {
  readonly callKey: string
  /** Of the request that was shown; when given, a tool whose definition has changed since asks again. */
  readonly consentKey?: string
  readonly approved: boolean
  readonly note?: string
}

/** What a person must decide on: exactly these arguments, nothing else. */
export interface ConsentRequest {
  readonly callKey: string
  /** Hash of tool, definition, effective arguments, scope and sources read, 16 hex digits: an id for this request. */
  readonly consentKey: string
  readonly toolName: string
  readonly arguments: JsonObject
  readonly level: BlastLevel
  /** Undefined: the tool does not say how much it touches. */
  readonly objects?: number
  readonly irreversible: boolean
  readonly dryRun?: string
  /** Whether the tool can say beforehand what it would do; false also when it failed to. */
  readonly hasDryRun: boolean
  /** Where what would be changed can be had back. */
  readonly backup?: string
  /** What foreign text was read before this call was asked for; such a text may have asked for it. */
  readonly readBefore: readonly string[]
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
  /** How much the call touches, once that was worked out. */
  readonly level?: BlastLevel
  readonly objects?: number
  /** What the call would do, as worked out before it ran (2 to 9 objects). */
  readonly dryRun?: string
}

export type ToolOutcome = OutcomeBase &
  (
    | {
        readonly status: 'ok'
        readonly trimmedCharacters: number
        /** The effect had happened before; the text is its earlier result. */
        readonly replayed?: boolean
        /** Where the whole text is, when it was cut and there is an observation store. */
        readonly reference?: string
      }
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
  /** Limits this call to these tools, like `specs({ only })`. */
  readonly only?: readonly string[]
}

/** What a session may use. */
export interface ToolSession {
  /** Default `'sandbox'`: only tools that declare `trust: 'sandbox'` exist. */
  readonly trust?: Trust
  /** Limits the session to these tools. */
  readonly only?: readonly string[]
  /** When given, tools that declare `irreversible` exist only if they are named here. */
  readonly irreversible?: readonly string[]
  /** Foreign text that the session has read already, for one that goes on after a restart. */
  readonly readBefore?: readonly string[]
}

/** Where effects are remembered, and as whose. */
export interface EffectOptions {
  readonly store: EffectStore
  /** The run: an equal call of the same run is not repeated, over restarts and retries. */
  readonly run: string
  /** The scope of what cannot be undone; default the run. */
  readonly workspace?: string
  readonly stage?: string
}

/** Offers many tools by a few: base tools, `find_tools`, and whatever it finds. */
export interface TopUpOptions {
  /** About five tools that are always offered. */
  readonly base: readonly string[]
  /** Tools that one search adds; default 5. */
  readonly found?: number
}

export interface ToolRegistryOptions {
  readonly tools: readonly AnyTool[]
  readonly session?: ToolSession
  /** Objects from which on a call needs a person's consent; default 10. */
  readonly consentAt?: number
  /** Aliases for every tool that has the parameter; a tool's own names win. */
  readonly aliases?: { readonly [parameter: string]: readonly string[] }
  /** Without it a call that is not idempotent may be made again. */
  readonly effects?: EffectOptions
  /** Keeps whole texts of which the model sees a part, and gives the model `read_observation`. */
  readonly observations?: ObservationStore
  readonly topUp?: TopUpOptions
  /** Folders whose real entries an error about a missing file may name. Default none. */
  readonly roots?: readonly string[]
}

/** The set of tools of one session. Satisfies the agent loop's `ToolRunner` structurally. */
export interface ToolRegistry {
  /** In the order of definition, so that what was sent before stays a prefix; limited to `only` when it is given. */
  specs(options?: { readonly only?: readonly string[] }): readonly ToolSpec[]
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
