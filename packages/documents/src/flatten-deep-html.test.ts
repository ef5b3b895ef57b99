import { expect, it } from 'vitest'
import { flattenDeepHtml } from './flatten-deep-html.js'

it('keeps a page of ordinary depth as it is', () => {
  const html = `<div>${'<p>unclosed<br><img src="a">'.repeat(2_000)}</div><div/>`
  expect(flattenDeepHtml(html)).toBe(html)
})

it('does not count what a script writes', () => {
  const html = `<script>${'x = "<div>" + a<b;'.repeat(1_000)}</script><p>text</p>`
  expect(flattenDeepHtml(html)).toBe(html)
})

it('keeps the text of a page that only nests, and drops its scripts', () => {
  const html = `<script>evil()</script>${'<div>'.repeat(500)}deep &amp; <b>bold</b>${'</div>'.repeat(500)}after a < b`
  const flat = flattenDeepHtml(html)
  expect(flat.replace(/\s+/g, ' ')).toBe('<body><p> deep &amp; bold after a &lt; b</p></body>')
})

it.each(['<', '<a', '<div', '<div>', '<script>', '</', '<p>'])(
  'reads a page of nothing but %s in one pass',
  (part) => {
    expect(flattenDeepHtml(part.repeat(200_000)).length).toBeGreaterThan(0)
  },
)
