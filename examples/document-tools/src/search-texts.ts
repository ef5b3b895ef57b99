import { readDocument } from '@icm/documents'
import { resolveContained } from '@icm/safe-files'
import type { ToolContext } from '@icm/tool-registry'

const EXCERPT_CHARACTERS = 80
const REPORT_EVERY_FILES = 200

/**
 * `path:line: excerpt` for the first line with `text` of each file that has it; upper and lower case alike. Only the
 * first 2 MB of a file are looked at, and files that are no text are left out.
 */
export async function searchTexts(
  root: string,
  paths: readonly string[],
  text: string,
  { signal, onProgress }: ToolContext,
): Promise<readonly string[]> {
  const wanted = text.toLowerCase()
  const found: string[] = []
  for (const [done, path] of paths.entries()) {
    signal.throwIfAborted()
    if (done % REPORT_EVERY_FILES === 0) onProgress?.({ done, total: paths.length })
    const content = await contentOf(root, path)
    const at = content.toLowerCase().indexOf(wanted)
    if (at >= 0) found.push(`${path}:${lineNumber(content, at)}: ${excerpt(content, at)}`)
  }
  return found
}

/** A file that cannot be read has nothing to find: it was removed meanwhile, or is not ours. */
async function contentOf(root: string, path: string): Promise<string> {
  try {
    const { text } = await readDocument(await resolveContained(root, path))
    return text.slice(0, 8_000).includes('\0') ? '' : text
  } catch {
    return ''
  }
}

function lineNumber(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}

/** The line, or the part of a long one that has the text. */
function excerpt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(Math.max(start, at - EXCERPT_CHARACTERS / 2), end === -1 ? undefined : end)
  return line.trim().slice(0, EXCERPT_CHARACTERS).toWellFormed()
}
