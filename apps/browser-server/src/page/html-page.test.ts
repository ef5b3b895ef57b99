import { describe, expect, it } from 'vitest'
import { htmlPage } from './html-page.js'

const page = (text: string, address = 'https://site.test/docs/') => htmlPage({ address, text, notes: [] })
const filler = 'This sentence has enough words, with a comma, to count as the text of an article. '

describe('htmlPage', () => {
  it('reads an article without its surroundings, under its heading', () => {
    const html = `<html><head><title>Tea – Site</title></head><body>
      <div class="menu"><ul>${'<li><a href="/x">Menu entry</a></li>'.repeat(20)}</ul></div>
      <div class="content"><h1>All about tea</h1>${`<p>${filler.repeat(4)}</p>`.repeat(5)}<h2>Green</h2><p>${filler}</p></div>
      <div class="sidebar"><a href="/ad">Buy now</a></div></body></html>`
    const text = page(html).text()
    expect(text.startsWith('# All about tea\n\nThis sentence')).toBe(true)
    expect(text).toContain('## Green')
    expect(text).not.toMatch(/Menu entry|Buy now/)
    expect(text.match(/All about tea/g)).toHaveLength(1)
  })

  it('keeps the whole of a marked main part where an article finder would drop half of it', () => {
    const rows = Array.from(
      { length: 30 },
      (_, index) => `<li><a href="/o${index}">--option-${index}</a></li>`,
    ).join('')
    const html = `<nav>Menu</nav><main><h1>Options</h1><p>${filler}</p><h2>List</h2><ul>${rows}</ul></main><footer>Foot</footer>`
    const text = page(html).text()
    expect(text).toContain('--option-0')
    expect(text).toContain('--option-29')
    expect(text).not.toMatch(/Menu|Foot/)
  })

  it('reads a short page whole', () => {
    expect(page('<title>Hello</title><p>One line.</p>').text()).toBe('# Hello\n\nOne line.')
  })

  it('names a page without title by its address', () => {
    expect(page('<p>One line.</p>')).toMatchObject({ title: 'https://site.test/docs/' })
  })

  it('gives headings and links of the same source, each time anew', () => {
    const source = page(
      '<nav><h2>Menu</h2><a href="m">M</a></nav><h1>A</h1><h2>B</h2><p><a href="c">C</a></p>',
    )
    for (let times = 0; times < 2; times++) {
      expect(source.headings().map((heading) => heading.text)).toEqual(['A', 'B'])
      expect(source.links().map((link) => link.url)).toEqual([
        'https://site.test/docs/c',
        'https://site.test/docs/m',
      ])
      expect(source.text()).toContain('# A')
    }
  })

  it('reads a very large page', () => {
    const html = `<h1>Big</h1>${`<p>${filler}</p>`.repeat(10_000)}<h2>End</h2>`
    const text = page(html).text()
    expect(text.startsWith('# Big')).toBe(true)
    expect(text.endsWith('## End')).toBe(true)
  })

  it.each([
    ['quotes in quotes', `${'<blockquote>'.repeat(140)}${'<p>x</p>'.repeat(6_000)}`],
    ['lists in lists', `${'<ul><li>'.repeat(70)}${'<p>x</p>'.repeat(6_000)}`],
    ['tables in tables', `${'<table><tr><td>'.repeat(45)}${'<p>x</p>'.repeat(6_000)}`],
    ['elements without end', '<p>x'.repeat(20_000)],
    ['space', `<p>x${'&nbsp;'.repeat(30_000)}</p><pre>a${' '.repeat(300_000)}b</pre>`],
  ])('reads a page of nothing but %s', (_name, html) => {
    const hostile = page(html)
    expect(hostile.text()).toContain('x')
    expect([hostile.headings(), hostile.links()]).toEqual([[], []])
  })
})
