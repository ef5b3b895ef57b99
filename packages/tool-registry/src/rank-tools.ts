import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'
import { isSchemaObject } from './is-schema-object.js'
import { wordsIn } from './words.js'

/** A tool as far as a search knows it. Several of one name count as one. */
export interface SearchableTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** A ranking of tools; the best first, only those that share a word with the text. */
export type ToolRanking = (text: string, limit: number) => readonly string[]

const WEIGHTS = { name: 3, description: 2, parameters: 1, parameterTexts: 0.5, listed: 1 } as const
type Field = keyof typeof WEIGHTS
const FIELDS = Object.keys(WEIGHTS) as readonly Field[]
/** BM25's two constants: how fast repetition stops to count, and how much the length of a field matters. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.5
const MAX_DEPTH = 8

/**
 * Indexes tools for full-text search over names, descriptions and parameters (BM25F: one score over weighted fields).
 * A search costs as much as its words are common, not as there are tools.
 */
export function indexTools(tools: Iterable<SearchableTool>): ToolRanking {
  const documents = new Map<string, Record<Field, string[]>>()
  for (const tool of tools) {
    const fields = documents.get(tool.name) ?? newFields()
    documents.set(tool.name, fields)
    fields.name.push(...wordsIn(tool.name))
    fields.description.push(...wordsIn(tool.description))
    addParameters(tool.inputSchema, fields, 0)
  }
  const names = [...documents.keys()]
  const postings = makePostings([...documents.values()])
  return (text, limit) => {
    const scores = new Map<number, number>()
    for (const [word, times] of countWords(wordsIn(text))) {
      const found = postings.get(word) ?? []
      const rarity = Math.log(1 + (names.length - found.length + 0.5) / (found.length + 0.5))
      for (const { document, weight } of found) {
        const score = ((1 + Math.log(times)) * rarity * weight) / (SATURATION + weight)
        scores.set(document, (scores.get(document) ?? 0) + score)
      }
    }
    const ranked = [...scores].sort(([one, left], [other, right]) => right - left || one - other)
    return ranked.slice(0, limit).map(([document]) => names[document] ?? '')
  }
}

function newFields(): Record<Field, string[]> {
  return { name: [], description: [], parameters: [], parameterTexts: [], listed: [] }
}

function addParameters(schema: JsonValue | undefined, fields: Record<Field, string[]>, depth: number): void {
  if (!isSchemaObject(schema) || depth > MAX_DEPTH || !isSchemaObject(schema.properties)) return
  for (const [name, property] of Object.entries(schema.properties)) {
    fields.parameters.push(...wordsIn(name))
    if (!isSchemaObject(property)) continue
    if (typeof property.description === 'string') fields.parameterTexts.push(...wordsIn(property.description))
    if (Array.isArray(property.enum))
      fields.listed.push(...property.enum.flatMap((word) => wordsIn(String(word))))
    addParameters(property, fields, depth + 1)
    addParameters(property.items, fields, depth + 1)
  }
}

interface Posting {
  readonly document: number
  readonly weight: number
}

function makePostings(
  documents: readonly Record<Field, readonly string[]>[],
): ReadonlyMap<string, readonly Posting[]> {
  const averages = new Map(
    FIELDS.map((field) => {
      const total = documents.reduce((sum, document) => sum + document[field].length, 0)
      return [field, total / Math.max(1, documents.length) || 1]
    }),
  )
  const postings = new Map<string, Posting[]>()
  for (const [document, fields] of documents.entries()) {
    const weights = new Map<string, number>()
    for (const field of FIELDS) {
      const length = fields[field].length / (averages.get(field) ?? 1)
      const each = WEIGHTS[field] / (1 - LENGTH_SHARE + LENGTH_SHARE * length)
      for (const word of fields[field]) weights.set(word, (weights.get(word) ?? 0) + each)
    }
    for (const [word, weight] of weights) {
      const list = postings.get(word)
      if (list === undefined) postings.set(word, [{ document, weight }])
      else list.push({ document, weight })
    }
  }
  return postings
}

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
