import { basename } from 'node:path'
import { documentAddress, documentContent, readDocument } from '@icm/documents'
import { resolveContained } from '@icm/safe-files'
import type { SearchResult as IndexHit } from 'minisearch'
import { SearchServerError } from '../errors.js'
import { bestPassage, type MatchedWord, shorten } from '../folder-index/best-passage.js'
import { createDocumentIndex, type DocumentIndex } from '../folder-index/document-index.js'
import { queryTerms, wordStem } from '../folder-index/query-terms.js'
import type { SearchAnswer, SearchBackend, SearchOptions, SearchResult } from '../types.js'

// Hits far below the best one share a common word with the query and nothing else; they cost the model tokens.
const weakestShare = 0.1

/**
 * Full-text search over the documents of a folder (`library`, absolute). The index is built in memory by the first
 * search and brought up to date by each later one. Throws `search/library-empty` when there is no document.
 */
export function createFolderBackend(options: { readonly library: string }): SearchBackend {
  const index = createDocumentIndex(options.library)
  const refresh = async (searchOptions: Omit<SearchOptions, 'maxResults'>) => {
    await index.refresh(searchOptions)
    if (index.documents().length === 0) throw emptyLibrary(options.library)
  }
  return {
    search: async (query, searchOptions) => {
      await refresh(searchOptions)
      const terms = queryTerms(query)
      const hits = index.search(terms)
      const strong = hits.filter((hit) => hit.score >= (hits[0]?.score ?? 0) * weakestShare)
      if (strong.length === 0) return nothingFound(query, terms, index)
      const shown = strong.slice(0, searchOptions.maxResults)
      const results = await Promise.all(shown.map((hit) => describeHit(options.library, index, hit, terms)))
      return { results, total: strong.length, summary: summarize(query, strong.length, terms, index) }
    },
    exampleQuery: async (signal) => {
      await refresh({ signal })
      const title = index.documents()[0]?.title ?? ''
      return queryTerms(title).slice(0, 3).join(' ')
    },
  }
}

async function describeHit(
  library: string,
  index: DocumentIndex,
  hit: IndexHit,
  terms: readonly string[],
): Promise<SearchResult> {
  const path = String(hit.id)
  const title = index.title(path)
  // Read again rather than kept: the text of thousands of documents would fill the memory.
  const text = await resolveContained(library, path)
    .then(readDocument)
    .then(
      (document) => document.text,
      () => '',
    )
  const blocks = documentContent(path, text).blocks.filter(
    (block) => block.kind !== 'heading' || block.text !== title,
  )
  const matched = new Map(hit.terms.map((word) => [word, matchOf(word, terms)]))
  return { title, address: documentAddress(path), snippet: bestPassage(blocks, matched) }
}

function matchOf(word: string, terms: readonly string[]): MatchedWord {
  if (terms.includes(word)) return { term: word, worth: 1 }
  const term = terms.find((candidate) => word.startsWith(wordStem(candidate)))
  return term === undefined ? { term: word, worth: 0.5 } : { term, worth: 0.8 }
}

function summarize(query: string, total: number, terms: readonly string[], index: DocumentIndex): string {
  const unknown = terms.filter((term) => !index.knows(term))
  const missing = unknown.length === 0 ? '' : ` No document has ${quoted(unknown)}.`
  return `${total} of ${index.documents().length} documents ${total === 1 ? 'fits' : 'fit'} "${shorten(query, 80)}".${missing}`
}

function nothingFound(query: string, terms: readonly string[], index: DocumentIndex): SearchAnswer {
  const documents = index.documents()
  const near = [...new Set(terms.flatMap((term) => index.nearWords(term).slice(0, 2)))].slice(0, 6)
  const words = near.length > 0 ? ` Words there that are spelt alike: ${near.join(', ')}.` : ''
  const titles = documents.slice(0, 6).map((document) => `"${document.title}"`)
  const more = documents.length > titles.length ? `, and ${documents.length - titles.length} more` : ''
  const summary =
    `Nothing found: none of the ${documents.length} documents has a word of "${shorten(query, 80)}".${words} ` +
    `The documents are: ${titles.join(', ')}${more}. Search with words of these titles, or go on without.`
  return { results: [], total: 0, summary }
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' or ')
}

function emptyLibrary(library: string): SearchServerError {
  return new SearchServerError({
    code: 'search/library-empty',
    what: 'Nothing was searched.',
    // Its name only: a path of this machine does not belong into a prompt.
    why: `The library folder "${basename(library)}" holds no .md, .txt or .html document.`,
    instead:
      'Stop searching, and tell the person to put documents into the folder that `[search] library` names.',
  })
}
