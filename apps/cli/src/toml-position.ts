/**
 * Line (from 1) of a key or of a section's header in a TOML text; undefined when it is not there as such. The parser
 * gives positions for syntax errors only, and an unknown key needs one too.
 */
export function lineOfKey(text: string, section: string, key: string): number | undefined {
  let current = ''
  let header: number | undefined
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const table = /^\s*\[\[?([^\]]+)\]\]?/.exec(line)?.[1]
    if (table !== undefined) {
      current = table.split('.').map(unquote).join('.')
      const path = section === '' ? key : `${section}.${key}`
      if (current === path || current.startsWith(`${path}.`)) header ??= index + 1
      continue
    }
    const name = /^\s*("[^"]*"|'[^']*'|[\w-]+)(?:\s*\.[^=]*)?\s*=/.exec(line)?.[1]
    if (name !== undefined && current === section && unquote(name) === key) return index + 1
  }
  return header
}

function unquote(name: string): string {
  return name.trim().replace(/^["']|["']$/g, '')
}
