/** Deeper than any tool's input, and far from where writing JSON would overflow the stack. */
const deepestArguments = 100

/**
 * A model's arguments as they were meant: a JSON string is parsed once, nothing at all is `{}`. A string that is
 * not JSON stays a string, so that whoever runs the call can say what is wrong with it (field report B03); so does
 * one that nests more than 100 levels deep, and an object of that kind becomes a text that says so.
 */
export function parseArguments(value: unknown): unknown {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'string') {
    return isTooDeep(value) ? `(arguments nested more than ${deepestArguments} levels deep)` : value
  }
  if (value.trim() === '') return {}
  try {
    const parsed = JSON.parse(value) as unknown
    return isTooDeep(parsed) ? value : parsed
  } catch {
    return value
  }
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepestArguments) return true
  for (const key in value) if (isTooDeep((value as { [key: string]: unknown })[key], depth + 1)) return true
  return false
}
