import { shorten } from '../folder-index/best-passage.js'
import type { SearchAnswer, SearchResult } from '../types.js'

const longestTitle = 100
// Below this a passage says nothing; then fewer results are shown.
const shortestSnippet = 40

/**
 * An answer as the model reads it, at most `limit` characters: the summary, then numbered results. Addresses are
 * never cut; when room is short, passages are, all to the same length, and then the last results are left out.
 */
export function renderAnswer(answer: SearchAnswer, limit: number): string {
  if (answer.results.length === 0) return shorten(answer.summary, limit)
  const [first] = answer.results
  const hint = `Next: fetch_snippet {"url": "${first?.address ?? ''}"}`
  for (let count = answer.results.length; count > 0; count--) {
    const results = answer.results.slice(0, count)
    for (const length of [200, 160, 130, 100, 80, 60, shortestSnippet]) {
      const text = [
        answer.summary,
        ...results.map((result, index) => renderResult(result, index + 1, length)),
        hint,
      ].join('\n\n')
      if (text.length <= limit) return text
    }
  }
  return `1. url: ${first?.address ?? ''}`
}

function renderResult({ title, address, snippet }: SearchResult, number: number, length: number): string {
  const lines = [`${number}. ${shorten(title, longestTitle)}`, `url: ${address}`, shorten(snippet, length)]
  return lines.filter((line) => line !== '').join('\n')
}
