import { parseArguments } from '../parse-arguments.js'

/**
 * A call's arguments as a server takes them back in a history: always an object. A text or a list there is
 * answered with 400 (field report B02), so it is wrapped.
 */
export function toArgumentsObject(value: unknown): object {
  const parsed = parseArguments(value)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  return { input: parsed }
}
