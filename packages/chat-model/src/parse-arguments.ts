/**
 * A model's arguments as they were meant: a JSON string is parsed once, nothing at all is `{}`. A string that is
 * not JSON stays a string, so that whoever runs the call can say what is wrong with it (field report B03).
 */
export function parseArguments(value: unknown): unknown {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'string') return value
  if (value.trim() === '') return {}
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
