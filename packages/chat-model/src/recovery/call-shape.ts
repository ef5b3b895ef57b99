import { parseArguments } from '../parse-arguments.js'

/** A call as it was written; nothing about it is checked yet. */
export interface WrittenCall {
  readonly name: string
  /** An object if it could be made one; else what stood there. */
  readonly arguments: unknown
  /** False when other keys stand beside name and arguments: then only a known name makes it a call. */
  readonly isPlain: boolean
  /** Pythonic: values without a name, in order. */
  readonly positional?: readonly unknown[]
  /** Keys beside the name where arguments were expected; they may be the arguments themselves. */
  readonly flat?: { readonly [key: string]: unknown }
}

const argumentKeys = ['arguments', 'parameters', 'args']
const looseArgumentKeys = ['input', 'params', 'kwargs']
const nameKeys = ['name', 'tool_name', 'tool', 'function']
const frameKeys = new Set(['type', 'id', 'index', 'call_id', 'tool_call_id'])

/** Reads an object as a call: `{ name, arguments }` in its usual spellings, also inside `{ function: … }`. */
export function readCallObject(value: unknown): WrittenCall | undefined {
  if (!isObject(value)) return undefined
  const { function: inner, ...outer } = value
  const call = isObject(inner) ? { ...outer, ...inner } : value
  const nameKey = nameKeys.find((key) => typeof call[key] === 'string' && call[key] !== '')
  if (nameKey === undefined) return undefined
  const name = String(call[nameKey])
  const argumentKey = [...argumentKeys, ...looseArgumentKeys].find((key) => key in call)
  const others = Object.keys(call).filter(
    (key) => key !== nameKey && key !== argumentKey && !frameKeys.has(key),
  )
  if (argumentKey === undefined) {
    return {
      name,
      arguments: {},
      isPlain: false,
      flat: Object.fromEntries(others.map((key) => [key, call[key]])),
    }
  }
  const isPlain = others.length === 0 && argumentKeys.includes(argumentKey)
  return { name, arguments: parseArguments(call[argumentKey]), isPlain }
}

/** Why arguments cannot be used, or undefined. A model that repeats the tool's schema has not called it. */
export function argumentsProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return 'The arguments are a text that is not JSON.'
  if (!isObject(value)) return 'The arguments are not an object.'
  if (isObject(value.properties) && value.type === 'object') {
    return 'The arguments repeat the schema of the tool instead of giving values.'
  }
  return undefined
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
