/** Whether a parsed value is what it should be. */
export type Check = (value: unknown) => boolean

export const isText: Check = (value) => typeof value === 'string'
export const isFlag: Check = (value) => typeof value === 'boolean'
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
export const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Also when the value is not there. */
export function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

/** A guard for objects: every field is named, unknown ones pass (a later version may have added them). */
export function shapeOf<Value>(
  fields: {
    readonly [key in keyof Value]-?: Check
  },
): (value: unknown) => value is Value {
  const checks = Object.entries<Check>(fields)
  return (value): value is Value =>
    isObject(value) && checks.every(([name, check]) => check((value as Record<string, unknown>)[name]))
}
