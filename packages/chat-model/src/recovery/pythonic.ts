import { isObject, type WrittenCall } from './call-shape.js'
import { readLiteral, skipSpace } from './relaxed-literal.js'

/**
 * Reads `search(query="x", count=3)`, one or several, also inside `[…]`. The values are literals: an expression or
 * a variable makes it code, which is no call. Such a text counts as a call only where the tool's name is known.
 */
export function readPythonicCalls(text: string): readonly WrittenCall[] | undefined {
  const bracketed = /^\[\s*[A-Za-z_][\s\S]*\]$/.test(text)
  const inner = bracketed ? text.slice(1, -1) : text
  const calls: WrittenCall[] = []
  let index = skipSpace(inner, 0)
  while (index < inner.length) {
    const found = readOne(inner, index)
    if (found === undefined) return undefined
    calls.push(found.call)
    index = skipSpace(inner, found.end)
    if (/[,;]/.test(inner[index] ?? '')) index = skipSpace(inner, index + 1)
  }
  return calls.length === 0 ? undefined : calls
}

function readOne(text: string, start: number): { call: WrittenCall; end: number } | undefined {
  const head = /([A-Za-z_][\w.:-]*)\(/y
  head.lastIndex = start
  const name = head.exec(text)?.[1]
  if (name === undefined) return undefined
  const named: [string, unknown][] = []
  const positional: unknown[] = []
  let index = skipSpace(text, head.lastIndex)
  while (text[index] !== ')') {
    const key = /([A-Za-z_]\w*)\s*=\s*/y
    key.lastIndex = index
    const keyName = key.exec(text)?.[1]
    const value = readLiteral(text, keyName === undefined ? index : key.lastIndex)
    if (value === undefined) return undefined
    if (keyName === undefined) positional.push(value.value)
    else named.push([keyName, value.value])
    index = skipSpace(text, value.end)
    if (text[index] === ',') index = skipSpace(text, index + 1)
    else if (text[index] !== ')') return undefined
  }
  const only = positional[0]
  const end = index + 1
  if (positional.length === 1 && named.length === 0 && isObject(only)) {
    return { call: { name, arguments: only, isPlain: false }, end } // search({"query": "x"})
  }
  return { call: { name, arguments: Object.fromEntries(named), isPlain: false, positional }, end }
}
