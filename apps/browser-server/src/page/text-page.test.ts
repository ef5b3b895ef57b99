import { expect, it } from 'vitest'
import { markdownPage, textPage } from './text-page.js'

const address = 'file:///library/a.md'

it('shows markdown as it is, with its headings and links', () => {
  const text = '---\na: b\n---\n# Tea *now*\n\nSee [b](b.md).\n'
  const page = markdownPage({ address, text, notes: ['n'] })
  expect(page).toMatchObject({ address, title: 'Tea now', notes: ['n'] })
  expect(page.text()).toBe(text.trim())
  expect(page.headings()).toEqual([{ level: 1, text: 'Tea now' }])
  expect(page.links()).toEqual([{ text: 'b', url: 'file:///library/b.md', inText: true }])
})

it('shows plain text as it is, without headings', () => {
  const page = textPage({
    address: 'https://site.test/a.json',
    text: ' {"# a": "https://x.test/"} ',
    notes: [],
  })
  expect(page.title).toBe('https://site.test/a.json')
  expect(page.text()).toBe('{"# a": "https://x.test/"}')
  expect(page.headings()).toEqual([])
  expect(page.links().map((link) => link.url)).toEqual(['https://x.test/'])
})
