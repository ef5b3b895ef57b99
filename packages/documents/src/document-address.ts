const addressRoot = 'file:///library/'

/**
 * The address of a library document, from its path in the library (`/` between folders): `file:///library/<path>`.
 * It names no folder of this machine, so that it may stand in prompts, recordings and outputs, and
 * `new URL(address)` reads it as it stands. Letters of any script stay as they are (a small model copies them more
 * reliably than `%C5%82`); only what would change the meaning of a URL is percent-encoded.
 */
export function documentAddress(path: string): string {
  return addressRoot + path.replace(/[\s\p{Cc}"#%<>?\\^`{|}]/gu, (character) => encodeURIComponent(character))
}

/**
 * The path in the library that an address names, or undefined when the address names something else.
 * `file:/library/x`, `file:library/x` and `file://library/x` mean the same document (a URL parser takes the first
 * two for the third with three slashes; in the last, `library` is taken for a host). Query and fragment are ignored.
 * A `..` never leads out: the URL parser has resolved it before the first folder is looked at.
 */
export function documentPath(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'file:') return undefined
  const [first, ...rest] = `${url.host}/${url.pathname}`.split('/').filter((part) => part !== '')
  if (first?.toLowerCase() !== 'library') return undefined
  return rest.map(decodePart).join('/')
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A lone `%`: it stands for itself.
    return part
  }
}
