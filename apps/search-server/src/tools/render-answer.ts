import { shorten } from '../folder-index/best-passage.js'
import type { SearchAnswer, SearchResult } from '../types.js'

const longestTitle = 100
// Below the last of these a passage says nothing; then fewer results are shown.
const shortestSnippet = 40
const snippetLengths = [200, 160, 130, 100, 80, 60, shortestSnippet]

/**
 * An answer as the model reads it, at most `limit` characters: the summary, numbered results, and the next call spelt
 * out (told only to read a page, a 1.5B model made one up). Addresses are never cut; when room is short, passages
 * are, all to the same length, then the next call is left out, then the last results.
 */
export function renderAnswer(answer: SearchAnswer, limit: number): string {
  const [first] = answer.results
  if (first === undefined) return shorten(answer.summary, limit)
  const nextCall = `Next: fetch_snippet {"url": "${first.address}"}`
  for (let count = answer.results.length; count > 0; count--) {
    const results = answer.results.slice(0, count)
    const render = (length: number, ending: readonly string[]) =>
      [
        answer.summary,
        ...results.map((result, index) => renderResult(result, index + 1, length)),
        ...ending,
      ].join('\n\n')
    const texts = [...snippetLengths.map((length) => render(length, [nextCall])), render(shortestSnippet, [])]
    const fitting = texts.find((text) => text.length <= limit)
    if (fitting !== undefined) return fitting
  }
  return `1. url: ${first.address}`
}

function renderResult({ title, address, snippet }: SearchResult, number: number, length: number): string {
  const lines = [`${number}. ${shorten(title, longestTitle)}`, `url: ${address}`, shorten(snippet, length)]
  return lines.filter((line) => line !== '').join('\n')
}
