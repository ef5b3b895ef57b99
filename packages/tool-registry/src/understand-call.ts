import { hash } from 'node:crypto'
import type { ToolCall } from '@icm/chat-model'
import type { JsonObject, JsonValue, Problem } from '@icm/errors'
import { canonicalJson, fillDefaults, isSchema, repairValue, validate } from '@icm/json-schema'
import { mendInside } from './mend-inside.js'
import type { PreparedTool } from './prepare-tool.js'
import { badArguments, unreadableArguments } from './problems.js'
import { resolveArguments } from './resolve-arguments.js'
import type { ToolProblemCode } from './types.js'

/** A call as it will take effect, or what is wrong with its arguments. */
export type UnderstoodCall = { readonly callKey: string; readonly repairs: readonly string[] } & (
  | { readonly ok: true; readonly input: unknown; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problem: Problem<ToolProblemCode> }
)

/** From what the model wrote to validated input. The key covers the arguments as they take effect. Never throws. */
export async function understandCall(prepared: PreparedTool, call: ToolCall): Promise<UnderstoodCall> {
  const { tool, shape } = prepared
  const resolved = resolveArguments({ toolName: tool.name, shape, folded: prepared.folded }, call.arguments)
  if (!resolved.ok) {
    const problem = unreadableArguments(tool.name, resolved.fault, shape)
    return { ok: false, callKey: callKeyOf(tool.name, call.arguments), repairs: [], problem }
  }
  const mended = mendValues(prepared, resolved.values)
  const repairs = [...resolved.repairs, ...mended.repairs]
  if (mended.fault !== undefined) {
    const problem = unreadableArguments(tool.name, mended.fault, shape)
    return { ok: false, callKey: callKeyOf(tool.name, mended.values), repairs, problem }
  }
  const { values } = mended
  const result = await validate(tool.input, values)
  if (!result.valid) {
    const problem = badArguments(tool.name, { values, issues: result.issues, shape, repairs })
    return { ok: false, callKey: callKeyOf(tool.name, values), repairs, problem }
  }
  // A transform may yield what is no JSON (a Date, a Set); then the arguments before it identify the call.
  const text = canonicalJson(isPlainJson(result.value) ? result.value : values)
  let parsed: JsonObject | undefined
  return {
    ok: true,
    callKey: hashText(`[${JSON.stringify(tool.name)},${text}]`),
    repairs,
    input: result.value,
    // A copy that the tool cannot change, made when it is asked for: most calls need none.
    get arguments() {
      parsed ??= JSON.parse(text) as JsonObject
      return parsed
    },
  }
}

/** Types, then names and words inside, then the types of what got a name; at last the defaults. */
function mendValues({ tool, spec }: PreparedTool, written: Record<string, unknown>) {
  const typed = repairValue(spec.inputSchema, written)
  const named = mendInside(spec.inputSchema, typed.value as Record<string, unknown>)
  const again =
    named.repairs.length === 0
      ? { value: named.value, repairs: [] }
      : repairValue(spec.inputSchema, named.value)
  // A self-describing schema fills its own defaults while it validates.
  const filled = isSchema(tool.input) ? again.value : fillDefaults(spec.inputSchema, again.value)
  return {
    values: filled as Record<string, unknown>,
    repairs: [...typed.repairs, ...named.repairs, ...again.repairs],
    fault: named.fault,
  }
}

/** The first 16 hex digits of SHA-256 over the canonical JSON of the tool's name and the arguments; never throws. */
export function callKeyOf(toolName: string, effective: unknown): string {
  try {
    return hashText(canonicalJson([toolName, effective ?? null]))
  } catch {
    return hashText(canonicalJson([toolName, String(effective)]))
  }
}

function hashText(text: string): string {
  return hash('sha256', text).slice(0, 16)
}

function isPlainJson(value: unknown): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlainJson)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every((inner) => inner === undefined || isPlainJson(inner))
}
