import { BrowserServerError } from './errors.js'
import type { PageLibrary } from './library/page-library.js'
import type { Page, PageBackend } from './types.js'

/** Opens whatever a model gives as an address. */
export type OpenPage = (address: string, options: { readonly signal: AbortSignal }) => Promise<Page>

/**
 * Opens web addresses with the backend and `file:` addresses with the library. What is no address is read as the
 * only library document it can mean (a path, a name, a title), else as a web address without its `https://`; the
 * page then has a note that says so. Throws `BrowserServerError`; rethrows the abort reason.
 */
export function createOpenPage(sources: {
  readonly backend: PageBackend
  readonly library?: PageLibrary
}): OpenPage {
  const { backend, library } = sources
  return async (given, options) => {
    const text = bareAddress(given)
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return backend.open(url, options)
    if (url?.protocol === 'file:') {
      if (library === undefined) throw noLibrary(text)
      return library.open(url, options)
    }
    // A title can look like an address with a scheme: "Streaming: one object a line".
    const document = text === '' ? undefined : await library?.openByName(text, options)
    if (document !== undefined) return document
    const web = withScheme(text)
    if (web === undefined) throw noAddress(text, (await library?.nearest(text, options)) ?? [])
    const page = await backend.open(web, options)
    return { ...page, notes: [`"${text}" was read as ${web.href}.`, ...page.notes] }
  }
}

/** The address without what models put around it: spaces, quotes, angle brackets, a markdown link. */
function bareAddress(given: string): string {
  const link = /^\s*!?\[[^\]]*\]\(\s*<?([^\s>]+)>?[^)]*\)\s*$/.exec(given)?.[1]
  return (link ?? given)
    .trim()
    .replace(/^[<"'`]+|[>"'`]+$/g, '')
    .trim()
}

/** `example.org/page` and `//example.org/page` as https; undefined for what has no host with a dot. */
function withScheme(text: string): URL | undefined {
  const bare = text.replace(/^\/\//, '')
  const host = /^((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]|$)/u.exec(bare)?.[1]
  // `tea.md` is a file that is not there rather than a site in Moldova.
  if (host === undefined || (host === bare && /\.(md|markdown|txt|html?)$/i.test(host))) return undefined
  return URL.canParse(`https://${bare}`) ? new URL(`https://${bare}`) : undefined
}

function noLibrary(address: string): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/address-refused',
    what: `${address} was not read.`,
    why: 'Files are read only from a library, and none is set up.',
    instead: 'Use a web address from the search results, beginning with https://.',
  })
}

function noAddress(text: string, nearest: readonly string[]): BrowserServerError {
  const shown = text.length > 100 ? `${text.slice(0, 99)}…` : text
  const scheme = /^([a-z][a-z\d+.-]*):(?!\d)/i.exec(text)?.[1]
  return new BrowserServerError({
    code: 'browser/bad-address',
    what: text === '' ? 'Nothing was read: the address was empty.' : `"${shown}" was not read.`,
    why:
      text === ''
        ? 'A page is opened by its address.'
        : scheme === undefined
          ? `It is neither a web address${nearest.length > 0 ? ' nor the name of a library document' : ''}.`
          : `Addresses with "${scheme}:" are not read, only http:, https: and the library's file: addresses.`,
    instead:
      nearest.length > 0
        ? `Copy an address exactly from the search results. Documents of the library: ${nearest.join(', ')}.`
        : 'Copy an address exactly from the search results, with its https://.',
  })
}
