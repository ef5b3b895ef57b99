import type { Heading } from '@icm/documents'

export interface PageLink {
  /** The link's label on one line; the address when it has none. */
  readonly text: string
  /** Absolute, without fragment. */
  readonly url: string
  /** Stands in the page's own text, not in its navigation. */
  readonly inText: boolean
  /** Leads to a file that is not in the library. */
  readonly missing?: boolean
}

/** A page as every reader sees it, whatever fetched it. The functions do their work when called. */
export interface Page {
  /** Where it really was, after redirects. */
  readonly address: string
  readonly title: string
  /** Facts that change how the page must be read (a redirect, a cut at the size limit), one sentence each. */
  readonly notes: readonly string[]
  /** The readable text as markdown, without page chrome. */
  text(): string
  headings(): readonly Heading[]
  /** Without duplicates, in order, those of the text first. */
  links(): readonly PageLink[]
}

/** What fetches web pages. A backend is one file in `backends/`. */
export interface PageBackend {
  /** `url` is http or https. Throws `BrowserServerError`; rethrows the abort reason. */
  open(url: URL, options: { readonly signal: AbortSignal }): Promise<Page>
}
