import { backslash, dot, tilde } from './characters.js'

const commandWords = new Set(
  'git gh npm npx pnpm yarn node deno bun python python3 pip curl wget ls cat find grep rg make cmake docker bash sh go cargo ruby php java mvn gradle terraform kubectl ollama icm sed awk jq'.split(
    ' ',
  ),
)
const extension = /[^/\\.\s][^/\\]*\.[A-Za-z][A-Za-z0-9]{0,9}$/
const placeholder = /\[[^\]]*\]|<[^<>]*>|\{\{[^{}]*\}\}|\{[^{}]*\}/g

/** What nearly all paths look like; they need no closer look. */
export const plainPath =
  /^(?:\.\.?\/[\w./[\]-]*|[a-z_][\w-]*\/[\w./[\]-]*\.[A-Za-z][A-Za-z0-9]{0,9}|[a-z][\w-]*\.md)$/

/** True for what is reported but never read: home folders, drives, network shares, URLs and `@` references. */
export function isExternalPath(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first === dot) return false
  if (first === 64) return /^@[\w.-]+(?:\/|$)/.test(text)
  if (first === tilde) return /^~[\w.-]*(?:[\\/]|$)/.test(text)
  if (first === backslash) return text.startsWith('\\\\')
  return text.includes(':') && /^(?:[a-z][a-z0-9+.-]+:\/\/|(?:mailto|file|data):|[a-z]:[\\/])/i.test(text)
}

/** True for a program line such as `git log`; it is recorded, never run. */
export function isCommand(text: string): boolean {
  const trimmed = text.trim()
  const end = trimmed.search(/\s/)
  return end > 0 && commandWords.has(trimmed.slice(0, end))
}

/**
 * Whether a piece of text is meant as a path: it ends in `/` or in a file extension, or begins with `./` or `../`.
 * `code` says that it was a code span or link target, where names with spaces and folders without `/` count too.
 */
export function looksLikePath(text: string, code: boolean): boolean {
  if (plainPath.test(text) && text.length <= 300) return true
  if (text === '' || text.length > 300 || isExternalPath(text) || isCommand(text)) return false
  const filled = text.replace(placeholder, 'x')
  if (/[`"|<>?*\n]/.test(filled.replace(/\*/g, '')) || /^\.[A-Za-z0-9]+$/.test(filled)) return false
  if (!code && /\s/.test(filled)) return false
  if (/\s{2,}|^[#-]/.test(filled) || /\s\/|\/\s/.test(filled)) return false
  if (/^v?[\dXYZ]+(?:\.[\dXYZ]+)+$/.test(filled) || /^[.…]+$/.test(filled)) return false
  if (/^\.\.?\//.test(filled)) return true
  if (filled.startsWith('/')) return /^\/[^/]+\/./.test(filled) || extension.test(filled)
  if (filled.endsWith('/')) return code || /^[\w.-]/.test(filled)
  if (extension.test(filled)) return !/^(?:e\.g|i\.e|etc)\b/.test(filled)
  return code && /^[\w.[{<-][^\s/]*(?:\/[^\s/]+)+$/.test(text.replace(placeholder, 'x'))
}

/**
 * Splits what stands right behind a path from it: `x.md#slug`, and the lines of `x.md:10-20` and `x.md#L10-L20`. A `#` inside a
 * name, as in `c#-notes.md`, is no anchor.
 */
export function splitAnchor(path: string): { readonly path: string; readonly scope?: string } {
  if (!path.includes('#') && !path.includes(':')) return { path }
  const [, file, from, to] = lineSuffix.exec(path) ?? []
  if (file && from) return { path: file, scope: to ? `lines ${from}-${to}` : `line ${from}` }
  const [, name, slug] = /^(.*\.[A-Za-z][A-Za-z0-9]*)#([^/#\s]+)$/.exec(path) ?? []
  return name && slug ? { path: name, scope: `#${slug}` } : { path }
}

const lineSuffix = /^(.*\.[A-Za-z][A-Za-z0-9]*)(?::|#L)(\d+)(?:[-–]L?(\d+))?$/
