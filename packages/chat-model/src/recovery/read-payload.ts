import { readCallObject, type WrittenCall } from './call-shape.js'
import { readPythonicCalls } from './pythonic.js'
import { readLiteral, skipSpace } from './relaxed-literal.js'

/**
 * Reads a text that has to be calls from its first to its last character: JSON objects or arrays, one or several;
 * tags round them; Mistral's and Llama's marks before them; `name(a="x")`; the forms of gpt-oss, GLM and ReAct. Undefined when anything else is in it.
 */
export function readPayload(payload: string): readonly WrittenCall[] | undefined {
  const text = stripEndTokens(payload).trim()
  if (text === '') return undefined
  return (
    readTagged(text) ??
    readNamedTag(text) ??
    readKeyTags(text) ??
    readMarked(text) ??
    readHarmony(text) ??
    readAction(text) ??
    readJsonCalls(text) ??
    readPythonicCalls(text)
  )
}

// In a loop over the tail: one pattern for all of it takes quadratic time on long runs of white space.
function stripEndTokens(payload: string): string {
  const text = payload.trimEnd()
  const token = /(?:<\|\/?[a-z_]+\|>|<\/s>|\[\/TOOL_CALLS\])$/i.exec(text.slice(-longestEndToken))?.[0]
  return token === undefined ? text : stripEndTokens(text.slice(0, -token.length))
}

const longestEndToken = 40
const tagNames = '(?:tool_calls?|function_calls?|tools?|functions?|\\|tool_call\\|)'
const openTag = new RegExp(`^<(${tagNames})>`, 'i')

/** `<tool_call>…</tool_call>`, several in a row; the last one may be unclosed. */
function readTagged(text: string): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = []
  let rest = text
  while (rest !== '') {
    const tag = openTag.exec(rest)
    if (tag === null) return undefined
    const close = new RegExp(`</?${escapePattern(tag[1] ?? '')}>`, 'i').exec(rest.slice(tag[0].length))
    const innerEnd = close === null ? rest.length : tag[0].length + close.index
    const found = readPayload(unwrapFence(rest.slice(tag[0].length, innerEnd)))
    if (found === undefined) return undefined
    calls.push(...found)
    rest = close === null ? '' : rest.slice(innerEnd + close[0].length).trimStart()
  }
  return calls
}

/** `<function=name>{…}</function>` or `<invoke name="name">`, also with one `<parameter=key>` for each argument. */
function readNamedTag(text: string): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = []
  const block = /\s*<(function=|invoke name=)"?([^">\s]+)"?>([\s\S]*?)<\/(?:function|invoke)>\s*/y
  while (block.lastIndex < text.length) {
    const found = block.exec(text)
    if (found === null) return undefined
    const read = readNamedTagBody(found[3] ?? '')
    if (read === undefined) return undefined
    calls.push({ name: found[2] ?? '', arguments: read, isPlain: true })
  }
  return calls
}

function readNamedTagBody(body: string): unknown {
  const json = readLiteral(body, 0)
  if (json !== undefined && skipSpace(body, json.end) === body.length) return json.value
  return readPairs(body, /<parameter(?:=| name=)"?([^">\s]+)"?>\n?([\s\S]*?)\n?<\/parameter>/y)
}

/** GLM's form, which stands inside of a tag: the name, then `<arg_key>` and `<arg_value>` by turns. */
function readKeyTags(text: string): readonly WrittenCall[] | undefined {
  const found = /^([\w.-]+)\s*(<arg_key>[\s\S]*)$/.exec(text)
  if (found === null) return undefined
  const read = readPairs(
    found[2] ?? '',
    /<arg_key>([^<]+)<\/arg_key>\s*<arg_value>\n?([\s\S]*?)\n?<\/arg_value>/y,
  )
  return read === undefined ? undefined : [{ name: found[1] ?? '', arguments: read, isPlain: true }]
}

/** Pairs of key and value one after another; `pattern` is sticky. Undefined when there is anything else. */
function readPairs(body: string, pattern: RegExp): object | undefined {
  const pairs: [string, string][] = []
  for (let index = skipSpace(body, 0); index < body.length; index = skipSpace(body, pattern.lastIndex)) {
    pattern.lastIndex = index
    const pair = pattern.exec(body)
    if (pair === null) return undefined
    pairs.push([pair[1] ?? '', pair[2] ?? ''])
  }
  return Object.fromEntries(pairs)
}

/** gpt-oss: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}`. */
function readHarmony(text: string): readonly WrittenCall[] | undefined {
  const head =
    /^(?:<\|start\|>assistant)?(?:<\|channel\|>\w+)?\s*to=([\w.-]+)[^{}\n]{0,60}?<\|message\|>/.exec(text)
  return head === null ? undefined : readNamed(head[1] ?? '', text.slice(head[0].length))
}

/** ReAct: a line `Action: name` and a line `Action Input: {…}`. */
function readAction(text: string): readonly WrittenCall[] | undefined {
  const head = /^Action: *([\w.-]+) *\n+Action Input: */i.exec(text)
  return head === null ? undefined : readNamed(head[1] ?? '', text.slice(head[0].length))
}

function readNamed(name: string, rest: string): readonly WrittenCall[] | undefined {
  const literal = readLiteral(rest, 0)
  if (literal === undefined || skipSpace(rest, literal.end) !== rest.length) return undefined
  return [{ name, arguments: literal.value, isPlain: true }]
}

/** `[TOOL_CALLS][…]`, `[TOOL_CALLS]name{…}`, `<|python_tag|>{…}`, `functools[…]`. */
function readMarked(text: string): readonly WrittenCall[] | undefined {
  const mark = /^(?:\[TOOL_CALLS?\]|<\|python_tag\|>|<\|tool_calls?\|>|functools(?=\[))\s*/i.exec(text)
  if (mark === null) return undefined
  const rest = text.slice(mark[0].length)
  return readJsonCalls(rest) ?? readNameBeforeJson(rest) ?? readPythonicCalls(rest)
}

/** `search[ARGS]{"q":"x"}` or `search{"q":"x"}`, several in a row. */
function readNameBeforeJson(text: string): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = []
  let index = 0
  while (index < text.length) {
    const head = /(?:\[TOOL_CALLS?\])?\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(?=\{)/y
    head.lastIndex = index
    const name = head.exec(text)?.[1]
    const literal = name === undefined ? undefined : readLiteral(text, head.lastIndex)
    if (name === undefined || literal === undefined) return undefined
    calls.push({ name, arguments: literal.value, isPlain: true })
    index = skipSpace(text, literal.end)
  }
  return calls
}

/** Objects and arrays of objects one after another, with nothing but space, commas or semicolons between them. */
function readJsonCalls(text: string): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = []
  let index = 0
  while (index < text.length) {
    const literal = readLiteral(text, index)
    if (literal === undefined) return undefined
    for (const item of listOf(literal.value)) {
      const call = readCallObject(item)
      if (call === undefined) return undefined
      calls.push(call)
    }
    index = skipSpace(text, literal.end)
    if (/[,;]/.test(text[index] ?? '')) index = skipSpace(text, index + 1)
  }
  return calls.length === 0 ? undefined : calls
}

/** `{ "tool_calls": […] }` counts as its list. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const list = (value as { tool_calls?: unknown } | null)?.tool_calls
  return Array.isArray(list) && Object.keys(value as object).length === 1 ? list : [value]
}

function unwrapFence(inner: string): string {
  const text = inner.trim()
  const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  if (mark === undefined || !text.endsWith(mark) || text.length < 2 * mark.length) return text
  return text.slice(mark.length, -mark.length).replace(/^\w+\s/, '')
}

function escapePattern(text: string): string {
  return text.replace(/[|\\]/g, '\\$&')
}
