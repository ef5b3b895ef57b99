import { addressPattern } from './addresses.js'
import type { UnsupportedClaim } from './types.js'

/**
 * Statements of an output that code can check and that occur nowhere in what the stage was shown: addresses, version
 * numbers, model tags, ports and fenced commands. Small models invent links and versions; code can see it.
 *
 * A claim is supported when a source has it in another form too: a trailing slash, `v1.2` for `1.2`, an address
 * inside a markdown link. Each claim is listed once, with the line where it first stands.
 */
export function findUnsupportedClaims(
  output: string,
  sources: readonly string[],
): readonly UnsupportedClaim[] {
  const shown = sources.join('\n')
  const known = new Set(claimsOf(shown).map(keyOf))
  const shownText = squeeze(shown)
  const listed = new Set<string>()
  return claimsOf(output).filter((claim) => {
    const key = keyOf(claim)
    if (known.has(key) || listed.has(key)) return false
    if (claim.kind !== 'url' && standsIn(shownText, key.slice(key.indexOf(' ') + 1))) return false
    listed.add(key)
    return true
  })
}

function claimsOf(text: string): readonly UnsupportedClaim[] {
  const claims: UnsupportedClaim[] = []
  let fence: string | undefined
  let isShell = false
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, marker, language = ''] = /^\s*(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? []
    if (marker !== undefined && (fence === undefined || marker.startsWith(fence))) {
      fence = fence === undefined ? marker : undefined
      isShell = shells.has(language.toLowerCase())
      continue
    }
    const add = (kind: UnsupportedClaim['kind'], found: string) =>
      claims.push({ kind, text: found, line: index + 1 })
    if (fence !== undefined && isShell && isCommand(line)) add('command', line.trim().replace(/^\$ /, ''))
    claimsOfLine(line, add)
  }
  return claims
}

function claimsOfLine(line: string, add: (kind: UnsupportedClaim['kind'], text: string) => void): void {
  let rest = line
  const take = (kind: UnsupportedClaim['kind'], pattern: RegExp) => {
    rest = rest.replace(pattern, (found) => {
      add(kind, found)
      return ' '
    })
  }
  take('url', addressPattern)
  take(
    'model-tag',
    /\b[a-z][a-z0-9._-]{0,60}[a-z0-9]:(?:\d+(?:\.\d+)?[bm](?:-[a-z0-9_.-]{0,60}[a-z0-9])?|latest)\b/gi,
  )
  take('version', /\bv?\d+\.\d+(?:\.\d+)+(?:-[a-z0-9.]+)?\b|\bv\d+\.\d+\b|(?<=\bversion )\d+(?:\.\d+)?\b/gi)
  take('port', /(?<=\bports? )\d{2,5}\b|(?<=\b(?:localhost|[\d.]{7,15}):)\d{2,5}\b/gi)
}

/** Languages of fences that hold commands; a bare fence often does. */
const shells = new Set(['', 'bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'powershell'])

/** A line of a code block that a person would type: a program's name first, not prose, output or a comment. */
function isCommand(line: string): boolean {
  const command = line.trim().replace(/^\$ /, '')
  return /^(?:sudo )?[a-z][\w.-]*(?: [^\s=].*)$/.test(command) && !/^[\w .,'-]+[.:]$/.test(command)
}

function keyOf(claim: UnsupportedClaim): string {
  const text = claim.text.toLowerCase()
  if (claim.kind === 'url')
    return `url ${text
      .replace(/#.*$/, '')
      .replace(/\/$/, '')
      .replace(/^https?:/, '')}`
  if (claim.kind === 'version') return `version ${text.replace(/^v/, '')}`
  return `${claim.kind} ${squeeze(text)}`
}

/** Whether a text stands in a source as a whole: `1.2` does not stand in `1.2.3` or `11.2`. */
function standsIn(shownText: string, text: string): boolean {
  for (let at = shownText.indexOf(text); at !== -1; at = shownText.indexOf(text, at + 1)) {
    const before = shownText.slice(Math.max(0, at - 2), at)
    const after = shownText.slice(at + text.length, at + text.length + 2)
    if (!/\d\.?$/.test(before) && !/^\.?\d/.test(after)) return true
  }
  return false
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase()
}
