/** A value read from the middle of a text, and where it ends. */
export interface Literal {
  readonly value: unknown
  readonly end: number
}

/**
 * Reads one literal that starts at `start`: JSON, or what models write in its place and can mean nothing else –
 * Python's quotes, `True`, `False`, `None`, a comma before the closing bracket, a line break inside a string.
 * Undefined for everything else, so unquoted keys and unclosed brackets are not guessed at.
 */
export function readLiteral(text: string, start: number): Literal | undefined {
  return readValue(text, skipSpace(text, start), 0)
}

/** The index of the next character that is no white space. */
export function skipSpace(text: string, start: number): number {
  let index = start
  while (index < text.length && /\s/.test(text[index] ?? '')) index++
  return index
}

const deepest = 64

function readValue(text: string, start: number, depth: number): Literal | undefined {
  if (depth > deepest) return undefined
  const first = text[start]
  if (first === '{') return readObject(text, start, depth)
  if (first === '[') return readArray(text, start, depth)
  if (first === '"' || first === "'") return readString(text, start)
  return readAtom(text, start)
}

function readObject(text: string, start: number, depth: number): Literal | undefined {
  const entries: [string, unknown][] = []
  let index = skipSpace(text, start + 1)
  while (text[index] !== '}') {
    const key = text[index] === '"' || text[index] === "'" ? readString(text, index) : undefined
    if (key === undefined) return undefined
    index = skipSpace(text, key.end)
    if (text[index] !== ':') return undefined
    const value = readValue(text, skipSpace(text, index + 1), depth + 1)
    if (value === undefined) return undefined
    entries.push([String(key.value), value.value])
    const next = afterComma(text, value.end, '}')
    if (next === undefined) return undefined
    index = next
  }
  return { value: Object.fromEntries(entries), end: index + 1 }
}

function readArray(text: string, start: number, depth: number): Literal | undefined {
  const values: unknown[] = []
  let index = skipSpace(text, start + 1)
  while (text[index] !== ']') {
    const value = readValue(text, index, depth + 1)
    if (value === undefined) return undefined
    values.push(value.value)
    const next = afterComma(text, value.end, ']')
    if (next === undefined) return undefined
    index = next
  }
  return { value: values, end: index + 1 }
}

/** Where the next member starts, or where the closing bracket stands; undefined when neither follows. */
function afterComma(text: string, start: number, close: string): number | undefined {
  const index = skipSpace(text, start)
  if (text[index] === ',') return skipSpace(text, index + 1)
  return text[index] === close ? index : undefined
}

function readString(text: string, start: number): Literal | undefined {
  const single = text[start] ?? ''
  const quote = text.startsWith(single.repeat(3), start) ? single.repeat(3) : single
  let value = ''
  let index = start + quote.length
  while (index < text.length) {
    if (text.startsWith(quote, index)) return { value, end: index + quote.length }
    if (text[index] === '\\') {
      const escaped = readEscape(text, index)
      value += escaped.value
      index = escaped.end
    } else value += text[index++]
  }
  return undefined
}

const escapes: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\n': '',
}

function readEscape(text: string, start: number): { value: string; end: number } {
  const letter = text[start + 1] ?? ''
  const code = /^(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(text.slice(start + 1, start + 6))
  if (code !== null) {
    const digits = code[1] ?? code[2] ?? ''
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: start + 2 + digits.length }
  }
  if (letter in escapes) return { value: escapes[letter] ?? '', end: start + 2 }
  // Python leaves an unknown escape as it is, which suits the regular expressions and paths that models write.
  return { value: /["'\\/`]/.test(letter) ? letter : `\\${letter}`, end: start + 2 }
}

const words: { readonly [word: string]: unknown } = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
}

function readAtom(text: string, start: number): Literal | undefined {
  const atom = /[\w.+-]+/y
  atom.lastIndex = start
  const found = atom.exec(text)?.[0]
  if (found === undefined) return undefined
  if (Object.hasOwn(words, found)) return { value: words[found], end: atom.lastIndex }
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(found)) return undefined
  return { value: Number(found), end: atom.lastIndex }
}
