/** Wraps text in terminal styles, or leaves it as it is. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
}

/** A stream that text goes to. */
export interface TextStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** Of a terminal, in characters. */
  readonly columns?: number
}

/** Whether lines can be rewritten in place: a terminal that knows more than line feeds. */
export function canRewrite(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** Colours only on a terminal and never with NO_COLOR (https://no-color.org). */
export function createStyle(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const enabled = stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  const wrap = (open: number, close: number) => (text: string) =>
    enabled ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return { bold: wrap(1, 22), dim: wrap(2, 22), red: wrap(31, 39), green: wrap(32, 39), yellow: wrap(33, 39) }
}

/** As `printable`, for what stands within a line, such as a name: line feeds and tabs are shown as escapes too. */
export function printableName(text: string): string {
  return printable(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** JSON as text that a terminal shows as it is: what `printable` escapes is escaped as JSON does it. */
export function printableJson(value: unknown): string {
  return `${printable(JSON.stringify(value, null, 2))}\n`
}

/** A value of a model in one line, whatever its depth: JSON cannot be written that nests by the thousands. */
export function jsonLine(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '(nested too deeply to be shown)'
  }
}

/**
 * Text of a model, a tool or a file, safe to print: control characters that could move the cursor or hide text are
 * shown as escapes (field report D07). Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be shown
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (character) =>
      character === '\r' ? '' : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
