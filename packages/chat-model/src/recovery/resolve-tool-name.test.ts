import { expect, it } from 'vitest'
import { resolveToolName } from './resolve-tool-name.js'

const names = ['web_search', 'notes_search', 'fetch_snippet', 'list', 'camofox__open_tab']

it.each([
  ['web_search', 'web_search'],
  ['web_search<|channel|>commentary', 'web_search'],
  ['`fetch_snippet`', 'fetch_snippet'],
  ['fetch_snippet()', 'fetch_snippet'],
  ['functions.fetch_snippet', 'fetch_snippet'],
  ['FetchSnippet', undefined],
  ['Fetch-Snippet', 'fetch_snippet'],
  ['snippet', 'fetch_snippet'],
  ['open_tab', 'camofox__open_tab'],
  ['tools.List', 'list'],
  ['browser__list', 'list'],
  ['my_list', undefined],
  ['search', undefined],
  ['', undefined],
  ['delete', undefined],
])('%s is %s', (written, expected) => {
  expect(resolveToolName(written, names)).toBe(expected)
})
