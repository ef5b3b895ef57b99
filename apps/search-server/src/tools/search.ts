import { defineTool } from '@icm/tool-registry'
import { z } from 'zod'
import { SearchServerError } from '../errors.js'
import type { SearchBackend } from '../types.js'
import { renderAnswer } from './render-answer.js'

/** Characters of an answer. */
const searchLimit = 1_500

/** The search tool over a backend. */
export function searchTool(backend: SearchBackend) {
  return defineTool({
    name: 'search',
    description:
      'Finds documents and pages by key words. Returns a numbered list, best first: title, url and one passage each; ' +
      'when nothing fits, says so and names what there is. Example: {"query": "<key words>"}. ' +
      'An empty query is rejected. Next: read a result by its url, copied exactly; a passage alone is no source.',
    input: z.object({
      query: z.string().describe('What the page should be about, in words that stand in it'),
      max_results: z.number().int().min(1).max(10).default(5).describe('How many results, 1 to 10'),
    }),
    aliases: {
      query: ['q', 'text', 'question'],
      max_results: ['limit', 'count', 'n'],
    },
    limit: searchLimit,
    idempotent: true,
    trust: 'sandbox',
    output: 'untrusted',
    blastRadius: () => 0,
    run: async ({ query, max_results }, { signal, onProgress }) => {
      const asked = query.trim()
      if (!/[\p{L}\p{N}]/u.test(asked)) throw await emptyQuery(asked, backend, signal)
      const options = { maxResults: max_results, signal, ...(onProgress === undefined ? {} : { onProgress }) }
      return renderAnswer(await backend.search(asked, options), searchLimit)
    },
  })
}

async function emptyQuery(
  query: string,
  backend: SearchBackend,
  signal: AbortSignal,
): Promise<SearchServerError> {
  return new SearchServerError({
    code: 'search/empty-query',
    what: 'Nothing was searched.',
    why: query === '' ? 'The query was empty.' : `The query "${query.slice(0, 40)}" has no word in it.`,
    instead: `Search with two to five key words, for example "${await backend.exampleQuery(signal)}".`,
  })
}
