import { createHash } from 'node:crypto'
import { JsonSchemaError } from './errors.js'

/**
 * Serialises a JSON value so that equal values give equal text: keys sorted by UTF-16 code units, no white space
 * (RFC 8785, whose number format is `JSON.stringify`'s). Properties that are undefined are left out, as in
 * `JSON.stringify`. Throws `schema/not-json` for bigint, function, symbol, NaN, an infinity or a cycle.
 */
export function canonicalJson(value: unknown): string {
  return write(value, [])
}

/** SHA-256 of the canonical JSON, as 64 hex digits. */
export function hashJson(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

function write(value: unknown, parents: object[]): string {
  if (typeof value === 'string') return quote(value)
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? '0' : String(value)
  if (typeof value !== 'object') throw notJson(describe(value))
  if (parents.includes(value)) throw notJson('a cycle')
  if (hasToJson(value)) return write(value.toJSON(), parents)
  parents.push(value)
  const text = Array.isArray(value)
    ? writeItems(value, parents)
    : writeProperties(value as Record<string, unknown>, parents)
  parents.pop()
  return text
}

function hasToJson(value: { readonly toJSON?: unknown }): value is { toJSON(): unknown } {
  return typeof value.toJSON === 'function'
}

function writeItems(items: readonly unknown[], parents: object[]): string {
  let text = ''
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    text += (index === 0 ? '' : ',') + (item === undefined ? 'null' : write(item, parents))
  }
  return `[${text}]`
}

function writeProperties(value: Record<string, unknown>, parents: object[]): string {
  const { sorted, heads } = layoutOf(Object.keys(value), parents.length)
  let text = ''
  for (let index = 0; index < sorted.length; index++) {
    const inner = value[sorted[index] ?? '']
    if (inner !== undefined) text += (text === '' ? '' : ',') + heads[index] + write(inner, parents)
  }
  return `{${text}}`
}

/** The order in which an object's keys are written, and each key as it is written. */
interface Layout {
  readonly keys: readonly string[]
  readonly sorted: readonly string[]
  readonly heads: readonly string[]
}

const MOST_LAYOUTS = 16
/** The last layout at each depth: in a list of alike objects, all but the first need no sorting. */
const layouts: Layout[] = []

function layoutOf(keys: readonly string[], depth: number): Layout {
  const last = layouts[depth]
  if (last !== undefined && sameKeys(keys, last.keys)) return last
  const sorted = [...keys].sort()
  const layout = { keys, sorted, heads: sorted.map((key) => `${quote(key)}:`) }
  if (depth < MOST_LAYOUTS) layouts[depth] = layout
  return layout
}

function sameKeys(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false
  return true
}

// What JSON.stringify writes as it is (no quote, no backslash, nothing below a space, no surrogate): a text of it alone
// is faster quoted by hand.
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/
const LONGEST_BY_HAND = 100

function quote(text: string): string {
  return text.length < LONGEST_BY_HAND && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

function describe(value: unknown): string {
  return value === undefined || typeof value === 'number' ? String(value) : `a ${typeof value}`
}

function notJson(found: string): JsonSchemaError {
  return new JsonSchemaError({
    code: 'schema/not-json',
    what: `The value was not serialised: it contains ${found}.`,
    why: 'Canonical JSON holds only strings, finite numbers, booleans, null, arrays and plain objects.',
    instead: 'Convert the value to plain JSON first.',
  })
}
