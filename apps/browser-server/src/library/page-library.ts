import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  documentAddress,
  documentContent,
  documentPath,
  type LibraryDocument,
  listDocuments,
  maxDocumentBytes,
  readDocument,
} from '@icm/documents'
import { resolveContained, SafeFilesError } from '@icm/safe-files'
import { htmlPage } from '../page/html-page.js'
import { markdownPage } from '../page/text-page.js'
import type { Page, PageLink } from '../types.js'
import { findDocument, foldPath, nearestDocuments } from './find-document.js'
import { libraryMissing, missing, notADocument, outside, severalMeant } from './library-errors.js'

interface Options {
  readonly signal: AbortSignal
}

/** The documents of a folder as pages. */
export interface PageLibrary {
  /**
   * Opens the document that a `file:` address names, or the only one that it can mean when it is not quite right.
   * Throws `browser/not-found`, `browser/bad-address` (it can mean several), `browser/address-refused`.
   */
  open(address: URL, options: Options): Promise<Page>
  /**
   * Opens the only document that a wording which is no address (a path, a name, a title) can mean; undefined when
   * it means none. Throws `browser/bad-address` when it can mean several.
   */
  openByName(wording: string, options: Options): Promise<Page | undefined>
  /** Addresses of documents whose names are near to a wording, at most six. */
  nearest(wording: string, options: Options): Promise<readonly string[]>
}

/**
 * Opens the documents below `root` (absolute) that `listDocuments` finds, and nothing else. The file is opened under
 * its real path, after every symbolic link is resolved, so a folder that became a link meanwhile leads nowhere.
 */
export function createPageLibrary(root: string): PageLibrary {
  return {
    open: async (address, options) => {
      const documents = await list(root, options)
      const path = documentPath(address.href)
      if (documents.some((document) => document.path === path)) return openPath(root, path ?? '', documents)
      const wording =
        path ?? decodeURIComponent(`${address.host}${address.pathname}`.replace(/%(?![\da-f]{2})/gi, '%25'))
      const nearest = () => nearestDocuments(wording, documents)
      const there = path === undefined ? 'outside' : await whatIsThere(root, path)
      if (there === 'file') throw notADocument(path ?? '', nearest())
      const page = await openReading(root, wording, documents)
      if (page !== undefined) return page
      throw there === 'outside' ? outside(address.href, nearest()) : missing(path ?? '', nearest())
    },
    openByName: async (wording, options) => {
      const documents = await list(root, options)
      const page = await openReading(root, wording, documents)
      if (page !== undefined) return page
      const titled = await documentsTitled(root, wording, documents, options)
      if (titled.length > 1) throw severalMeant(wording, titled)
      return titled[0] === undefined ? undefined : openPath(root, titled[0], documents, wording)
    },
    nearest: async (wording, options) =>
      nearestDocuments(wording, await list(root, options)).map(documentAddress),
  }
}

async function list(root: string, options: Options): Promise<readonly LibraryDocument[]> {
  try {
    return await listDocuments(root, options)
  } catch (error) {
    options.signal.throwIfAborted()
    throw libraryMissing(basename(root), error)
  }
}

async function openPath(
  root: string,
  path: string,
  documents: readonly LibraryDocument[],
  wording?: string,
): Promise<Page> {
  const { text, cut } = await readDocument(await resolveContained(root, path))
  const address = documentAddress(path)
  const notes = [
    ...(wording === undefined ? [] : [`"${wording}" was read as ${address}.`]),
    ...(cut
      ? [`The file is larger than ${maxDocumentBytes / 1_000_000} MB; what comes behind was not read.`]
      : []),
  ]
  const page = /\.html?$/i.test(path)
    ? htmlPage({ address, text, notes })
    : markdownPage({ address, text, notes })
  return { ...page, links: () => page.links().map((link) => documentLink(link, documents)) }
}

async function openReading(
  root: string,
  wording: string,
  documents: readonly LibraryDocument[],
): Promise<Page | undefined> {
  const reading = findDocument(wording, documents)
  if (reading.kind === 'several') throw severalMeant(wording, reading.paths)
  return reading.kind === 'one' ? openPath(root, reading.path, documents, wording) : undefined
}

/** A link to a file as the address of the document it leads to. `/x.md` means the library's own root. */
function documentLink(link: PageLink, documents: readonly LibraryDocument[]): PageLink {
  const url = new URL(link.url)
  if (url.protocol !== 'file:') return link
  const paths = [documentPath(link.url), documentPath(`file:///library${url.pathname}`)]
  const found = paths.find((path) => documents.some((document) => document.path === path))
  if (found === undefined) return { ...link, missing: true }
  const address = documentAddress(found)
  return { ...link, text: link.text === link.url ? address : link.text, url: address }
}

async function documentsTitled(
  root: string,
  wording: string,
  documents: readonly LibraryDocument[],
  { signal }: Options,
): Promise<readonly string[]> {
  const asked = foldPath(wording)
  const titled: string[] = []
  for (const { path } of documents) {
    signal.throwIfAborted()
    const text = await resolveContained(root, path)
      .then(readDocument)
      .then(
        (document) => document.text,
        () => '',
      )
    // A title stands at the beginning; the rest of thousands of documents need not be parsed for it.
    if (foldPath(documentContent(path, text.slice(0, 8_000)).title) === asked) titled.push(path)
  }
  return titled
}

async function whatIsThere(root: string, path: string): Promise<'file' | 'nothing' | 'outside'> {
  try {
    const status = await stat(await resolveContained(root, path)).catch(() => undefined)
    return status?.isFile() ? 'file' : 'nothing'
  } catch (error) {
    if (SafeFilesError.isInstance(error)) return 'outside'
    throw error
  }
}
