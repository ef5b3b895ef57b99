import { expect, it } from 'vitest'
import { htmlBlocks } from './html-blocks.js'
import { parseHtml } from './html-document.js'

const blocks = (html: string) => htmlBlocks(parseHtml(html).body)

it('tells headings, paragraphs, items, rows and code apart', () => {
  const html = `<h2>Head <em>line</em></h2>Loose <b>text</b><p>A <code>word</code>, a <a href="x">link</a>.<br>New line</p>
    <ul><li>one</li><li>two<p>inside</p></li></ul>
    <table><tr><th>Name</th><th>Value</th></tr><tr><td>a</td><td>1</td></tr></table>
    <pre><code>run it
  now</code></pre>`
  expect(blocks(html)).toEqual([
    { kind: 'heading', level: 2, text: 'Head line' },
    { kind: 'text', text: 'Loose text' },
    { kind: 'text', text: 'A `word`, a link.' },
    { kind: 'text', text: 'New line' },
    { kind: 'text', text: 'one' },
    { kind: 'text', text: 'two' },
    { kind: 'text', text: 'inside' },
    { kind: 'text', text: 'Name | Value' },
    { kind: 'text', text: 'a | 1' },
    { kind: 'code', text: 'run it\n  now' },
  ])
})

it('reads a page that is nested without end', () => {
  const html = `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`
  expect(blocks(html)).toEqual([{ kind: 'text', text: 'deep' }])
})

it('reads a page with a hundred thousand children', () => {
  expect(blocks('<br>x'.repeat(150_000))).toHaveLength(150_000)
})
