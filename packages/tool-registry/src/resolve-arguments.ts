import type { ObjectShape } from '@icm/json-schema'
import { foldName } from './parameter-names.js'

/** Arguments under their real names, or the reason why there are none. */
export type ResolvedArguments =
  | { readonly ok: true; readonly values: Record<string, unknown>; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly fault: string }

export interface ArgumentNames {
  readonly toolName: string
  readonly shape: ObjectShape
  /** Folded name → parameter. */
  readonly folded: ReadonlyMap<string, string>
}

const WRAPPERS = ['arguments', 'args', 'parameters', 'params', 'input']
const QUOTED_CHARACTERS = 200
const MAX_DEPTH = 100

/**
 * Turns what a model wrote into named arguments: JSON text is parsed once, `""` and null are no arguments, one
 * wrapping object is peeled, aliases become parameters, unknown arguments are dropped. Text that is not JSON is a
 * fault, never an empty object (field report B03: the tool would run with its defaults).
 */
export function resolveArguments(names: ArgumentNames, written: unknown): ResolvedArguments {
  const repairs: string[] = []
  const parsed = parseOnce(written, repairs)
  if (!parsed.ok) return parsed
  const peeled = peel(names, parsed.value, repairs)
  const inner =
    typeof written === 'string' ? ({ ok: true, value: peeled } as const) : parseOnce(peeled, repairs)
  if (!inner.ok) return inner
  if (!isPlainObject(inner.value)) {
    return {
      ok: false,
      fault: `The arguments were ${quote(inner.value)}, not an object with named parameters.`,
    }
  }
  if (isDeeperThan(inner.value, MAX_DEPTH)) {
    return { ok: false, fault: `The arguments were nested more than ${MAX_DEPTH} levels deep.` }
  }
  return { ok: true, values: rename(names, inner.value, repairs), repairs }
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: string }

function parseOnce(written: unknown, repairs: string[]): Parsed {
  if (written === undefined || written === null) return { ok: true, value: {} }
  if (typeof written !== 'string') return { ok: true, value: written }
  if (written.trim() === '') return { ok: true, value: {} }
  try {
    const value: unknown = JSON.parse(written)
    repairs.push('The arguments came as JSON text and were parsed.')
    return { ok: true, value: value === null ? {} : value }
  } catch {
    return { ok: false, fault: `The arguments were not valid JSON; they began with: ${quoteText(written)}` }
  }
}

/** `{ arguments: {…} }`, `{ input: {…} }`, `{ <tool>: {…} }`, `{ name: <tool>, arguments: {…} }` → the inner object. */
function peel(names: ArgumentNames, value: unknown, repairs: string[]): unknown {
  // A schema that takes any property may mean the wrapper itself.
  if (!isPlainObject(value) || names.shape.open) return value
  const keys = Object.keys(value).filter((key) => !(key === 'name' && value.name === names.toolName))
  const [key] = keys
  if (key === undefined || keys.length !== 1) return value
  const isWrapper = WRAPPERS.includes(key) || foldName(key) === foldName(names.toolName)
  const inner = value[key]
  if (!isWrapper || meansParameter(names, key) || !(isPlainObject(inner) || isObjectText(inner))) return value
  repairs.push(`The arguments were wrapped in "${key}", which was removed.`)
  return inner
}

function isObjectText(value: unknown): boolean {
  return typeof value === 'string' && value.trim().startsWith('{')
}

function meansParameter(names: ArgumentNames, key: string): boolean {
  return names.shape.properties.has(key) || names.folded.has(foldName(key))
}

function rename(
  names: ArgumentNames,
  written: Record<string, unknown>,
  repairs: string[],
): Record<string, unknown> {
  const { properties, open } = names.shape
  const values = new Map<string, unknown>()
  const renamed = new Map<string, { readonly key: string; readonly value: unknown }[]>()
  for (const [key, value] of Object.entries(written)) {
    const parameter = properties.has(key) ? key : names.folded.get(foldName(key))
    if (parameter === key) values.set(key, value)
    else if (parameter !== undefined)
      renamed.set(parameter, [...(renamed.get(parameter) ?? []), { key, value }])
    else if (open) values.set(key, value)
    else repairs.push(`The unknown argument ${JSON.stringify(key)} was dropped.`)
  }
  for (const [parameter, candidates] of renamed) {
    const keys = candidates.map(({ key }) => JSON.stringify(key)).join(' and ')
    const distinct = new Set(candidates.map(({ value }) => JSON.stringify(value)))
    if (values.has(parameter)) repairs.push(`${keys} was dropped, because "${parameter}" itself was given.`)
    else if (distinct.size > 1)
      repairs.push(`${keys} were dropped: both mean "${parameter}" and they differ.`)
    else {
      values.set(parameter, candidates[0]?.value)
      repairs.push(`${keys} was read as "${parameter}".`)
    }
  }
  return Object.fromEntries(values)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quote(value: unknown): string {
  return quoteText(JSON.stringify(value) ?? String(value))
}

function quoteText(text: string): string {
  if (text.length <= QUOTED_CHARACTERS) return text
  return `${text.slice(0, QUOTED_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`
}
