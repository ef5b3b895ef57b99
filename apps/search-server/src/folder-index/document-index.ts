import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { documentContent, type LibraryDocument, listDocuments, readDocument } from '@icm/documents'
import { resolveContained } from '@icm/safe-files'
import MiniSearch, { type SearchResult as IndexHit } from 'minisearch'
import { SearchServerError } from '../errors.js'
import type { SearchOptions } from '../types.js'
import { foldTerm, splitWords, wordStem } from './query-terms.js'

interface IndexedDocument extends LibraryDocument {
  readonly title: string
}

/** A full-text index over a folder that follows the folder's changes. */
export interface DocumentIndex {
  /** Brings the index up to date: files new, changed (size or time) or gone since the last call. One at a time. */
  refresh(options: Omit<SearchOptions, 'maxResults'>): Promise<void>
  documents(): readonly IndexedDocument[]
  title(path: string): string
  /** Documents that hold at least one of the terms, best first. */
  search(terms: readonly string[]): readonly IndexHit[]
  /** True when some document holds the term, or a word that counts as the same. */
  knows(term: string): boolean
  /** Words of the index near to a term that it does not know, nearest first. */
  nearWords(term: string): readonly string[]
}

/** Makes an empty index of the documents below `library` (absolute); the first `refresh` fills it. */
export function createDocumentIndex(library: string): DocumentIndex {
  const known = new Map<string, IndexedDocument>()
  const index = new MiniSearch<{ path: string; title: string; headings: string; text: string }>({
    idField: 'path',
    fields: ['title', 'headings', 'text'],
    tokenize: (text) => [...splitWords(text)],
    processTerm: (term) => foldTerm(term) ?? null,
  })
  const searchOptions = {
    boost: { title: 3, headings: 1.5 },
    processTerm: (term: string) => [...new Set([term, wordStem(term)])],
    prefix: (term: string) => term.length >= 3,
    fuzzy: (term: string) => (term.length > 5 ? 0.2 : false),
  }

  const addDocument = async (document: LibraryDocument) => {
    const { text } = await readDocument(await resolveContained(library, document.path))
    const content = documentContent(document.path, text)
    const headings = content.blocks.filter((block) => block.kind === 'heading').map((block) => block.text)
    const entry = {
      path: document.path,
      title: `${content.title} ${document.path}`,
      headings: headings.join('\n'),
      text: content.blocks.map((block) => block.text).join('\n'),
    }
    if (index.has(document.path)) index.replace(entry)
    else index.add(entry)
    known.set(document.path, { ...document, title: content.title })
  }

  const update = async ({ signal, onProgress }: Omit<SearchOptions, 'maxResults'>) => {
    const present = await listPresent(library, signal)
    const paths = new Set(present.map((document) => document.path))
    for (const path of [...known.keys()]) {
      if (paths.has(path)) continue
      known.delete(path)
      index.discard(path)
    }
    const changed = present.filter((document) => !isSame(document, known.get(document.path)))
    for (const [done, document] of changed.entries()) {
      signal.throwIfAborted()
      if (done % 100 === 0) onProgress?.({ done, total: changed.length, note: 'indexing the library' })
      await addDocument(document).catch((error: unknown) => rethrowUnlessGone(library, document.path, error))
    }
  }

  let last: Promise<void> = Promise.resolve()
  return {
    refresh: (options) => {
      last = last.catch(() => undefined).then(() => update(options))
      return last
    },
    documents: () => [...known.values()],
    title: (path) => known.get(path)?.title ?? path,
    search: (terms) => index.search(terms.join(' '), searchOptions),
    knows: (term) => index.search(term, searchOptions).length > 0,
    nearWords: (term) =>
      index.autoSuggest(term, { fuzzy: 0.25, prefix: false }).map((suggestion) => suggestion.suggestion),
  }
}

function isSame(document: LibraryDocument, known: LibraryDocument | undefined): boolean {
  return known?.bytes === document.bytes && known.modifiedMs === document.modifiedMs
}

async function listPresent(library: string, signal: AbortSignal): Promise<readonly LibraryDocument[]> {
  try {
    return await listDocuments(library, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new SearchServerError(
      {
        code: 'search/library-missing',
        what: `The library folder "${basename(library)}" was not read.`,
        why: 'It is gone, or this user may not read it.',
        instead: 'Stop searching, and tell the person to check the folder that `[search] library` names.',
      },
      { cause: error },
    )
  }
}

/** A document that vanished or may not be read is left out; any other failure is a fault of ours and is shown. */
async function rethrowUnlessGone(library: string, path: string, error: unknown): Promise<void> {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (
    code === 'EACCES' ||
    code === 'EPERM' ||
    code === 'ENOENT' ||
    code === 'ELOOP' ||
    code === 'path/escapes-root'
  )
    return
  if (
    await stat(`${library}/${path}`).then(
      () => true,
      () => false,
    )
  )
    throw error
}
