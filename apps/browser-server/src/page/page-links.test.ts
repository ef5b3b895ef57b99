import { describe, expect, it } from 'vitest'
import { htmlLinks, markdownLinks } from './page-links.js'

const lines = (links: readonly { text: string; url: string; inText: boolean }[]) =>
  links.map(({ text, url, inText }) => `${inText ? 'text' : 'menu'} ${text} ${url}`)
const html = (source: string, address = 'https://site.test/docs/page.html?x=1') =>
  lines(htmlLinks(source, address))

describe('htmlLinks', () => {
  it('makes addresses absolute and drops fragments', () => {
    const source = `<a href="a.html#part">A</a><a href="/b">B</a><a href="../c?q=1">C</a><a href="//other.test/d">D</a>`
    expect(html(source)).toEqual([
      'text A https://site.test/docs/a.html',
      'text B https://site.test/b',
      'text C https://site.test/c?q=1',
      'text D https://other.test/d',
    ])
  })

  it('honours a base element', () => {
    expect(html('<base href="/root/"><a href="a">A</a>')).toEqual(['text A https://site.test/root/a'])
    expect(html('<base href="::bad::"><a href="a">A</a>')).toEqual(['text A https://site.test/docs/a'])
  })

  it('leaves out links to the page itself, to other schemes, to files and broken ones', () => {
    const source = `<a href="#part">p</a><a href="">e</a><a href="page.html?x=1#y">s</a><a href="mailto:a@b.c">m</a>
      <a href="javascript:x()">j</a><a href="data:text/html,x">d</a><a href="file:///library/x.md">f</a>
      <a href="http://[bad">b</a><a>none</a><a href="ok">ok</a>`
    expect(html(source)).toEqual(['text ok https://site.test/docs/ok'])
  })

  it('lists an address once, with its first label that says something', () => {
    const source = '<a href="a"><img src="i.png"></a><a href="a#x">Label</a><a href="a">Other</a>'
    expect(html(source)).toEqual(['text Label https://site.test/docs/a'])
  })

  it('takes a label from the text, else from what describes the link', () => {
    const source = `<a href="a"> two\n words </a><a href="b" aria-label="Aria"></a><a href="c"><img alt="Image"></a><a href="d" title="Title"></a><a href="e"></a>`
    expect(html(source)).toEqual([
      'text two words https://site.test/docs/a',
      'text Aria https://site.test/docs/b',
      'text Image https://site.test/docs/c',
      'text Title https://site.test/docs/d',
      'text https://site.test/docs/e https://site.test/docs/e',
    ])
  })

  it('cuts a label at 100 characters', () => {
    const [link] = htmlLinks(`<a href="a">${'word '.repeat(50)}</a>`, 'https://site.test/')
    expect(link?.text.length).toBeLessThanOrEqual(100)
    expect(link?.text.endsWith('word…')).toBe(true)
  })

  it('puts links of the text before those of the menus', () => {
    const source =
      '<nav><a href="m">Menu</a><a href="t">Twice</a></nav><main><a href="t">In text</a></main><footer><a href="f">Foot</a></footer>'
    expect(html(source)).toEqual([
      'text Twice https://site.test/docs/t',
      'menu Menu https://site.test/docs/m',
      'menu Foot https://site.test/docs/f',
    ])
  })

  it('keeps links between files of a library', () => {
    expect(html('<a href="b.md#x">B</a><a href="../up.md">Up</a>', 'file:///library/guide/a.html')).toEqual([
      'text B file:///library/guide/b.md',
      'text Up file:///library/up.md',
    ])
  })
})

describe('markdownLinks', () => {
  const links = (source: string) => lines(markdownLinks(source, 'file:///library/guide/a.md'))

  it('finds inline, reference, angle and bare links', () => {
    const source = [
      'See [**one** page](b.md), ![image](i.png) and [titled](c.md "t"), [![pic](p.png)](d.md).',
      'Go to <https://angle.test/x> or https://bare.test/y. Then [ref][id].',
      '[wiki](https://w.test/a_(b)) ok',
      '',
      '[id]: <https://ref.test/z> "t"',
    ].join('\n')
    expect(links(source)).toEqual([
      'text one page file:///library/guide/b.md',
      'text titled file:///library/guide/c.md',
      'text pic file:///library/guide/d.md',
      'text https://angle.test/x https://angle.test/x',
      'text https://bare.test/y https://bare.test/y',
      'text wiki https://w.test/a_(b)',
      'text id https://ref.test/z',
    ])
  })

  it('finds none in code', () => {
    expect(
      links('```\n[a](b.md) https://x.test\n```\nand `[c](d.md)` and\n~~~\nhttps://y.test\n~~~\n'),
    ).toEqual([])
  })

  it('reads odd input of any length', () => {
    for (const part of [
      '[',
      '](',
      '[a](',
      '[a](b',
      `[a](${'b'.repeat(1_900)}`,
      '[a](b ',
      '<https://',
      '`',
      '```\n',
      '(',
      'https://',
    ]) {
      expect(
        markdownLinks(part.repeat(600_000 / part.length), 'file:///library/a.md').length,
      ).toBeGreaterThanOrEqual(0)
    }
  })
})
