import { isJson } from '../is-json.js'
import { parseArguments } from '../parse-arguments.js'

/** A call as it was put together; its arguments are parsed where they are JSON. */
export interface AssembledCall {
  /** Empty where the server gave none. */
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/**
 * Puts calls together from the pieces of a stream. A piece belongs to the call with its index, unless it begins
 * another one there: some servers send every call whole and with index 0 (field report B08). It begins one when it
 * brings another id, or a name although the call at hand is complete.
 */
export function createCallAssembler(): {
  push(deltas: unknown): void
  end(): readonly AssembledCall[]
} {
  const calls: Draft[] = []
  const byIndex = new Map<number, Draft>()
  return {
    push(deltas) {
      if (!Array.isArray(deltas)) return
      for (const delta of deltas) {
        const piece = readPiece(delta)
        const known = piece.index === undefined ? calls.at(-1) : byIndex.get(piece.index)
        const call = known === undefined || begins(piece, known) ? { id: '', name: '', text: '' } : known
        if (call !== known) {
          calls.push(call)
          byIndex.set(piece.index ?? calls.length - 1, call)
        }
        call.id ||= piece.id
        if (call.name !== piece.name) call.name += piece.name
        if (piece.value === undefined) call.text += piece.text
        else call.value = piece.value
      }
    },
    end: () =>
      calls.map(({ id, name, text, value }) => ({ id, name, arguments: parseArguments(value ?? text) })),
  }
}

interface Draft {
  id: string
  name: string
  text: string
  /** Where the server sends the arguments as an object instead of a text. */
  value?: unknown
}

interface Piece extends Draft {
  readonly index: number | undefined
}

function readPiece(delta: unknown): Piece {
  const outer = asObject(delta)
  const inner = asObject(outer.function)
  const written = inner.arguments
  return {
    index: typeof outer.index === 'number' ? outer.index : undefined,
    id: typeof outer.id === 'string' ? outer.id : '',
    name: typeof inner.name === 'string' ? inner.name : '',
    text: typeof written === 'string' ? written : '',
    ...(typeof written === 'object' && written !== null ? { value: written } : {}),
  }
}

function begins(piece: Piece, call: Draft): boolean {
  if (piece.id !== '' && call.id !== '') return piece.id !== call.id
  if (piece.name === '' || call.name === '') return false
  const isWhole = call.value !== undefined || isJson(call.text)
  return isWhole || (call.text === '' && piece.text === '')
}

function asObject(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : {}
}
