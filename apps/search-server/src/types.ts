/** One document or page that fits a query. */
export interface SearchResult {
  readonly title: string
  /** What a page reader takes as `url`. */
  readonly address: string
  /** The passage that fits best, at most 200 characters. */
  readonly snippet: string
}

export interface SearchAnswer {
  /** Best first, at most as many as were asked for. */
  readonly results: readonly SearchResult[]
  /** How many fit in all. */
  readonly total: number
  /** One sentence that opens the answer: what was searched and how much fits; with no results, what to try. */
  readonly summary: string
}

export interface SearchOptions {
  readonly maxResults: number
  readonly signal: AbortSignal
  /** How far a long preparation (building an index) is. */
  readonly onProgress?: (progress: {
    readonly done: number
    readonly total: number
    readonly note: string
  }) => void
}

/** Where results come from. A backend is one file in `backends/`. */
export interface SearchBackend {
  /** `query` is trimmed and not empty. Rethrows the abort reason. */
  search(query: string, options: SearchOptions): Promise<SearchAnswer>
  /** A query that would find something, for the example in an error. */
  exampleQuery(signal: AbortSignal): Promise<string>
}
