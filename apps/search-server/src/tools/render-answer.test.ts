import { expect, it } from 'vitest'
import type { SearchResult } from '../types.js'
import { renderAnswer } from './render-answer.js'

const result = (number: number, extra: Partial<SearchResult> = {}): SearchResult => ({
  title: `Title ${number} ${'word '.repeat(30)}`,
  address: `file:///library/some-folder/document-number-${number}.md`,
  snippet: 'snippet '.repeat(25).trim(),
  ...extra,
})
const many = (count: number, extra: Partial<SearchResult> = {}) =>
  Array.from({ length: count }, (_, index) => result(index + 1, extra))

it('numbers the results: title, url, passage', () => {
  const answer = {
    results: [result(1, { title: 'Tea', address: 'file:///library/tea.md', snippet: 'Green tea.' })],
    total: 1,
    summary: '1 of 3.',
  }
  expect(renderAnswer(answer, 1_500)).toBe(
    '1 of 3.\n\n1. Tea\nurl: file:///library/tea.md\nGreen tea.\n\nNext: fetch_snippet {"url": "file:///library/tea.md"}',
  )
})

it('leaves out an empty passage', () => {
  expect(
    renderAnswer({ results: [result(1, { title: 'Tea', snippet: '' })], total: 1, summary: 's' }, 1_500),
  ).not.toContain('\n\n\n')
})

it.each([1, 3, 5, 7, 10])('keeps %i results within the limit, with every address whole', (count) => {
  const text = renderAnswer({ results: many(count), total: count, summary: 'Summary.' }, 1_500)
  expect(text.length).toBeLessThanOrEqual(1_500)
  const shown = text.match(/^url: .*$/gm) ?? []
  expect(shown).toEqual(many(shown.length).map(({ address }) => `url: ${address}`))
  expect(shown.length).toBeGreaterThanOrEqual(Math.min(count, 6))
})

it('shows fewer results rather than broken addresses when these are long', () => {
  const address = `file:///library/${'deep/'.repeat(100)}x.md`
  const text = renderAnswer({ results: many(10, { address }), total: 10, summary: 'Summary.' }, 1_500)
  expect(text.length).toBeLessThanOrEqual(1_500)
  expect(text.match(/^url: .*$/gm)).toEqual([`url: ${address}`, `url: ${address}`])
})

it('shows the summary alone when there is no result', () => {
  expect(renderAnswer({ results: [], total: 0, summary: 'Nothing found.' }, 1_500)).toBe('Nothing found.')
})
