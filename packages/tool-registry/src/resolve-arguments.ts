import type { ObjectShape } from '@icm/json-schema'
import { type MeantProperty, meantProperty } from './meant-property.js'
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
 * wrapping object is peeled, aliases and near names become parameters, unknown arguments are dropped. An argument that
 * may mean two parameters is a fault, and so is text that is not JSON, never an empty object (field report B03: the
 * tool would run with its defaults).
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
  const renamed = rename(names, inner.value, repairs)
  return 'fault' in renamed ? { ok: false, ...renamed } : { ok: true, ...renamed, repairs }
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

/**
 * `{ arguments: {…} }`, `{ input: {…} }`, `{ <tool>: {…} }`, `{ name: <tool>, arguments: {…} }`, `[{…}]` → the inner
 * object; so does any other key that is no parameter, when all that is inside are parameters.
 */
function peel(names: ArgumentNames, value: unknown, repairs: string[]): unknown {
  // A schema that takes any property may mean the wrapper itself.
  if (names.shape.open) return value
  if (Array.isArray(value) && value.length === 1 && isPlainObject(value[0])) {
    repairs.push('The arguments were wrapped in a list, which was removed.')
    return value[0]
  }
  if (!isPlainObject(value)) return value
  const keys = Object.keys(value).filter((key) => !(key === 'name' && value.name === names.toolName))
  const [key] = keys
  if (key === undefined || keys.length !== 1 || meansParameter(names, key)) return value
  const inner = value[key]
  const isWrapper = WRAPPERS.includes(key) || foldName(key) === foldName(names.toolName)
  if (!(isWrapper && (isPlainObject(inner) || isObjectText(inner))) && !holdsParameters(names, inner))
    return value
  repairs.push(`The arguments were wrapped in "${key}", which was removed.`)
  return inner
}

function holdsParameters(names: ArgumentNames, value: unknown): boolean {
  if (!isPlainObject(value)) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => meansParameter(names, key))
}

function isObjectText(value: unknown): boolean {
  return typeof value === 'string' && value.trim().startsWith('{')
}

function meansParameter(names: ArgumentNames, key: string): boolean {
  return names.shape.properties.has(key) || names.folded.has(foldName(key))
}

type Renamed = { readonly values: Record<string, unknown> } | { readonly fault: string }

function rename(names: ArgumentNames, written: Record<string, unknown>, repairs: string[]): Renamed {
  const { properties, open } = names.shape
  const values = new Map<string, unknown>()
  const renamed = new Map<string, { readonly key: string; readonly value: unknown }[]>()
  const unknown: [string, unknown][] = []
  const rewrite = (parameter: string, key: string, value: unknown) =>
    renamed.set(parameter, [...(renamed.get(parameter) ?? []), { key, value }])
  for (const [key, value] of Object.entries(written)) {
    const parameter = properties.has(key) ? key : names.folded.get(foldName(key))
    if (parameter === key || (parameter === undefined && open)) values.set(key, value)
    else if (parameter !== undefined) rewrite(parameter, key, value)
    else unknown.push([key, value])
  }
  const absent =
    unknown.length === 0
      ? []
      : [...properties.keys()].filter((name) => !values.has(name) && !renamed.has(name))
  for (const [key, value] of unknown) {
    const meant: MeantProperty = meantProperty(key, value, absent, properties)
    if (meant.status === 'ambiguous') return { fault: ambiguous(key, meant.names) }
    if (meant.status === 'found') rewrite(meant.name, key, value)
    else repairs.push(`The unknown argument ${JSON.stringify(key)} was dropped.`)
  }
  return settle(values, renamed, repairs)
}

function settle(
  values: Map<string, unknown>,
  renamed: ReadonlyMap<string, readonly { readonly key: string; readonly value: unknown }[]>,
  repairs: string[],
): Renamed {
  for (const [parameter, candidates] of renamed) {
    const keys = candidates.map(({ key }) => JSON.stringify(key)).join(' and ')
    const distinct = new Set(candidates.map(({ value }) => JSON.stringify(value)))
    if (values.has(parameter)) repairs.push(`${keys} was dropped, because "${parameter}" itself was given.`)
    else if (distinct.size > 1)
      return { fault: `The arguments ${keys} both mean "${parameter}", and they differ.` }
    else {
      values.set(parameter, candidates[0]?.value)
      repairs.push(`${keys} was read as "${parameter}".`)
    }
  }
  return { values: Object.fromEntries(values) }
}

/** The sentence for an argument that may mean several parameters. */
export function ambiguous(key: string, names: readonly string[]): string {
  return `The argument ${JSON.stringify(key)} is no parameter and may mean ${names.map((name) => `"${name}"`).join(' or ')}.`
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
