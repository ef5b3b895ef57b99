import { isJson } from './is-json.js'
import { findCallRegions } from './recovery/call-region.js'
import { argumentsProblem, isObject, type WrittenCall } from './recovery/call-shape.js'
import { readPayload } from './recovery/read-payload.js'
import { resolveToolName } from './recovery/resolve-tool-name.js'
import type { ToolSpec } from './types.js'

/** A call that stood in the text of an answer. */
export interface RecoveredToolCall {
  /** The tool's own name, where it could be found; else as it was written. */
  readonly name: string
  readonly arguments: unknown
}

/** An answer that is shaped like a call but cannot be one as it stands. */
export interface ToolCallAttempt {
  readonly name?: string
  readonly arguments?: unknown
  /** One sentence: what is wrong. */
  readonly problem: string
}

/**
 * Reads the calls that a model wrote as text – with small models that is most of them. Pure.
 *
 * The answer has to be calls and nothing else, but for a lead-in of one or two lines; see `findCallRegions` for
 * what is ruled out. At least one call has to name a tool of `specs` (`resolveToolName`) and carry an object of
 * arguments; the others of the same answer are returned with it as they are, so that whoever runs them
 * can answer them. Empty when the answer is no call, or when no call of it can be used.
 */
export function recoverToolCalls(text: string, specs: readonly ToolSpec[]): readonly RecoveredToolCall[] {
  if (specs.length === 0) return []
  for (const calls of readAnswer(text)) {
    const read = calls.map((call) => resolve(call, specs))
    if (read.every((call) => call.counts) && read.some((call) => call.problem === undefined)) {
      return read.map((call) => ({ name: call.name, arguments: call.arguments }))
    }
  }
  return []
}

/**
 * Tells whether an answer is a call by its shape, whatever it names: then it is no final answer, and no document.
 *
 * With `specs`, undefined also for calls that `recoverToolCalls` reads, and `problem` says what is wrong with
 * the first of the others. JSON that breaks off counts when it begins like a call; its text stands in `arguments`.
 */
export function looksLikeToolCall(text: string, specs?: readonly ToolSpec[]): ToolCallAttempt | undefined {
  if (specs !== undefined && recoverToolCalls(text, specs).length > 0) return undefined
  for (const calls of readAnswer(text)) {
    const read = calls.map((call) => resolve(call, specs ?? []))
    if (!read.every((call) => call.counts)) continue
    const first = read.find((call) => call.problem !== undefined) ?? read[0]
    if (first === undefined) continue
    const problem = first.problem ?? 'The call was written as text.'
    return { name: first.name, arguments: first.arguments, problem }
  }
  return findBrokenCall(text)
}

/** Every reading of the answer that is calls from end to end. */
function* readAnswer(text: string): Generator<readonly WrittenCall[]> {
  for (const region of findCallRegions(text)) {
    const read = region.payloads.map(readPayload)
    if (read.every((calls) => calls !== undefined)) yield read.flat()
  }
}

interface ResolvedCall extends RecoveredToolCall {
  readonly problem: string | undefined
  /** False when only a known name would make it a call, and the name is not known. */
  readonly counts: boolean
}

function resolve(call: WrittenCall, specs: readonly ToolSpec[]): ResolvedCall {
  const name = resolveToolName(
    call.name,
    specs.map((spec) => spec.name),
  )
  const spec = specs.find((candidate) => candidate.name === name)
  if (spec === undefined) {
    const problem = specs.length === 0 ? argumentsProblem(call.arguments) : `No tool is named "${call.name}".`
    const counts = call.isPlain && !Array.isArray(call.arguments)
    return { name: call.name, arguments: call.arguments, problem, counts }
  }
  const completed = completeArguments(call, spec)
  if (completed === undefined) return { name: spec.name, arguments: {}, problem: undefined, counts: false }
  return { name: spec.name, arguments: completed, problem: argumentsProblem(completed), counts: true }
}

/** Puts arguments without a place where they belong; undefined when that cannot be told, and so it is no call. */
function completeArguments(call: WrittenCall, spec: ToolSpec): unknown {
  const properties = isObject(spec.inputSchema.properties) ? Object.keys(spec.inputSchema.properties) : []
  if (call.flat !== undefined) {
    return Object.keys(call.flat).every((key) => properties.includes(key)) ? call.flat : undefined
  }
  const positional = call.positional ?? []
  if (positional.length === 0) return call.arguments
  const required = Array.isArray(spec.inputSchema.required) ? spec.inputSchema.required.map(String) : []
  const order = required.length >= positional.length ? required : properties
  if (positional.length > order.length) return undefined
  const placed = positional.map((value, index): [string, unknown] => [order[index] ?? '', value])
  return { ...Object.fromEntries(placed), ...(call.arguments as object) }
}

/** JSON that cannot be read, but begins with a name and arguments. */
function findBrokenCall(text: string): ToolCallAttempt | undefined {
  for (const region of findCallRegions(text)) {
    const payload = region.payloads[0]?.replace(/^\s*<\w+>/, '').trim() ?? ''
    if (region.payloads.length !== 1 || readPayload(payload) !== undefined) continue
    const head = payload.slice(0, 400)
    const name =
      /^[[{]\s*(?:\{\s*)?(?:"(?:type|id)"\s*:\s*"[^"]*"\s*,\s*)*"(?:name|tool_name|tool|function)"\s*:\s*(?:\{\s*"name"\s*:\s*)?"([^"\n]+)"/.exec(
        head,
      )
    if (name?.[1] === undefined || !/"(?:arguments|parameters|args)"\s*:/.test(head)) continue
    if (isJson(payload)) continue
    return { name: name[1], arguments: payload, problem: 'The call is not valid JSON.' }
  }
  return undefined
}
