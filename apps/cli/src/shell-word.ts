/** Letters and digits of any language, and the marks that no shell gives a meaning to. */
const plainWord = /^[\p{L}\p{N}_@%+=:,./-]+$/u

/**
 * One word of a printed command that a person may paste into a POSIX shell: quoted where it has to be, on one line.
 * Characters that a terminal would obey are written as escapes (`$'\n'`).
 */
export function shellWord(word: string): string {
  if (plainWord.test(word)) return word
  const parts = word.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu) ?? []
  if (parts.length <= 1 && !isHidden(word)) return singleQuoted(word)
  return `$'${parts.map((part) => (isHidden(part) ? escaped(part) : part.replace(/[\\']/g, '\\$&'))).join('')}'`
}

/** The words of a command, each as a shell takes it. */
export function shellCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

function isHidden(part: string): boolean {
  return /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(part)
}

function escaped(character: string): string {
  const short = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }[character]
  return (
    short ?? [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  )
}
