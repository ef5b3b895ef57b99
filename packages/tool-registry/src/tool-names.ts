import { hashJson } from '@icm/json-schema'

const MAX_NAME = 64

/**
 * A name that every model may send (letters, digits, `_`, `-`, at most 64) for a foreign one such as `files.read`. Give
 * the foreign one as `otherNames` too. Two names may become one, which `checkTools` finds; a name that had to be cut keeps
 * a hash of the whole (field report F15).
 */
export function toToolName(foreign: string): string {
  const name = foreign.replace(/[^A-Za-z0-9_-]+/g, '_')
  if (name.length <= MAX_NAME && name !== '') return name
  return `${name.slice(0, MAX_NAME - 9)}_${hashJson(foreign).slice(0, 8)}`
}
