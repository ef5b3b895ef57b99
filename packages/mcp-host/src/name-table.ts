import { createHash } from 'node:crypto'

/** A tool of a server, as the server names it. */
export interface ToolAddress {
  readonly server: string
  readonly tool: string
}

/** Which name each tool has for the model. Names are looked up, never taken apart. */
export interface NameTable {
  /** The name of a tool; the same on every call. */
  nameOf(address: ToolAddress): string
  /** The tool that a name stands for; undefined for a name that this table has not given. */
  find(name: string): ToolAddress | undefined
}

const MAX_CHARACTERS = 64
const HASH_DIGITS = 8

/**
 * Gives every tool the name `<server>_<tool>`: letters, digits, `_` and `-`, at most 64 characters, no two alike.
 *
 * A name gets a hash of (server, tool) at its end when it would say too little: a character had to be replaced, it
 * had to be cut, or it also reads as a tool of another server (`a` + `b_c`, `a_b` + `c`). That depends on the
 * servers' names only, so a name does not change when another server connects later. Field reports F15, F16.
 */
export function createNameTable(servers: readonly string[]): NameTable {
  const addresses = new Map<string, ToolAddress>()
  const names = new Map<string, string>()
  return {
    find: (name) => addresses.get(name.toLowerCase()),
    nameOf: (address) => {
      const key = JSON.stringify([address.server, address.tool])
      const known = names.get(key)
      if (known !== undefined) return known
      const name = freeName(address, servers, addresses)
      names.set(key, name)
      addresses.set(name.toLowerCase(), address)
      return name
    },
  }
}

function freeName(
  address: ToolAddress,
  servers: readonly string[],
  taken: ReadonlyMap<string, ToolAddress>,
): string {
  const plain = `${address.server}_${address.tool}`
  const safe = plain.replace(/[^A-Za-z0-9_-]/g, '_')
  const isClear = safe === plain && plain.length <= MAX_CHARACTERS && !readsAsOther(address, plain, servers)
  if (isClear && !taken.has(safe.toLowerCase())) return safe
  const hash = createHash('sha256')
    .update(JSON.stringify([address.server, address.tool]))
    .digest('hex')
  for (let digits = HASH_DIGITS; ; digits += HASH_DIGITS) {
    const suffix = `_${hash.slice(0, digits)}`
    const name = safe.slice(0, MAX_CHARACTERS - suffix.length) + suffix
    if (!taken.has(name.toLowerCase()) || digits + 1 >= MAX_CHARACTERS) return name
  }
}

/** Whether the name could also be that of a tool of another server; of two such names the longer server's stays. */
function readsAsOther(address: ToolAddress, plain: string, servers: readonly string[]): boolean {
  const folded = plain.toLowerCase()
  return servers.some(
    (server) =>
      server !== address.server &&
      server.length >= address.server.length &&
      folded.startsWith(`${server.toLowerCase()}_`),
  )
}
