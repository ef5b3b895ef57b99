import { createHash } from 'node:crypto'
import { JsonSchemaError } from './errors.js'

/**
 * Serialises a JSON value so that equal values give equal text: keys sorted by UTF-16 code units, no white space
 * (RFC 8785, whose number format is `JSON.stringify`'s). Properties that are undefined are left out, as in
 * `JSON.stringify`. Throws `schema/not-json` for bigint, function, symbol, NaN, an infinity or a cycle.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set())
}

/** SHA-256 of the canonical JSON, as 64 hex digits. */
export function hashJson(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

function write(value: unknown, parents: Set<object>): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (typeof value !== 'object') throw notJson(describe(value))
  if (parents.has(value)) throw notJson('a cycle')
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON(), parents)
  parents.add(value)
  const text = Array.isArray(value)
    ? `[${value.map((item) => (item === undefined ? 'null' : write(item, parents))).join(',')}]`
    : `{${writeProperties(value as Record<string, unknown>, parents)}}`
  parents.delete(value)
  return text
}

function writeProperties(value: Record<string, unknown>, parents: Set<object>): string {
  const parts: string[] = []
  for (const key of Object.keys(value).sort()) {
    const inner = value[key]
    if (inner !== undefined) parts.push(`${JSON.stringify(key)}:${write(inner, parents)}`)
  }
  return parts.join(',')
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
