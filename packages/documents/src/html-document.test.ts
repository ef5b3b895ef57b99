import { describe, expect, it } from 'vitest'
import { htmlHeadings, htmlTitle, parseHtml, removeChrome } from './html-document.js'

const read = (html: string) => {
  const document = parseHtml(html)
  const content = removeChrome(document)
  return {
    title: htmlTitle(document),
    text: (content.textContent ?? '').replace(/\s+/g, ' ').trim(),
    content,
  }
}

describe('parseHtml', () => {
  it.each([
    ['<!DOCTYPE html><html><head><title>t</title></head><body><p>x</p></body></html>', 'x'],
    ['<p>x</p><p>y', 'xy'],
    ['<body><p>x</body>', 'x'],
    ['<head><title>t</title></head><body>x</body>', 'x'],
    ['<html><head><title>t</title></head><p>x</p></html>', 'x'],
    [
      '<!doctype html>\n<html lang="en">\n<meta charset="utf-8"><title>t</title><script>s()</script><p>x</html>',
      'x',
    ],
    ['<title>t</title>x', 'x'],
    ['<header>x</header>', 'x'],
    ['plain', 'plain'],
    ['', ''],
    ['<!-- only a comment -->', ''],
  ])('makes a document of %j', (html, text) => {
    expect(parseHtml(html).body.textContent).toBe(text)
  })
})

describe('htmlTitle', () => {
  it.each([
    ['<title>Site – Page</title><h1> The\n page </h1>', 'The page'],
    ['<title>Only title</title><p>x', 'Only title'],
    ['<h1></h1><h1>Second</h1>', 'Second'],
    ['<header><h1>Banner</h1></header><title>Page</title><p>x', 'Page'],
    ['<p>x', ''],
    ['<!doctype html><meta charset=utf-8><title>Bare</title><p>x', 'Bare'],
  ])('of %j is %j', (html, title) => {
    expect(read(html).title).toBe(title)
  })
})

describe('removeChrome', () => {
  it('takes scripts, menus, banner, footer, side column and hidden parts away', () => {
    const html = `<body><header>banner</header><nav>menu</nav><div role="navigation">menu2</div>
      <aside>side</aside><p>text</p><script>s()</script><style>c{}</style><noscript>n</noscript>
      <div hidden>h</div><span aria-hidden="true">i</span><footer>foot</footer></body>`
    expect(read(html).text).toBe('text')
  })

  it('takes the marked main part, and keeps the header and footer of an article', () => {
    const html = `<div>menu without a mark</div><main><article><header><h1>Title</h1></header>
      <p>text</p> <footer>author</footer><nav>contents</nav></article></main><div>more</div>`
    expect(read(html)).toMatchObject({ title: 'Title', text: 'Title text author' })
  })

  it('takes the whole body when several parts are marked as main', () => {
    expect(read('<main>one</main><main>two</main>').text).toBe('onetwo')
  })
})

describe('htmlHeadings', () => {
  it('lists headings in order without menus, empty ones and permalinks', () => {
    const html = `<nav><h2>Menu</h2></nav><h1>One</h1><h3>Three <a href="#x">¶</a></h3><h2> </h2><h2>C#</h2><h2>Two <a>#</a></h2>`
    expect(htmlHeadings(read(html).content)).toEqual([
      { level: 1, text: 'One' },
      { level: 3, text: 'Three' },
      { level: 2, text: 'C#' },
      { level: 2, text: 'Two' },
    ])
  })
})
