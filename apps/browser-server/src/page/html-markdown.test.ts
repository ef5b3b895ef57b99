import { expect, it } from 'vitest'
import { parseHtml } from '../documents/html-document.js'
import { htmlToMarkdown } from './html-markdown.js'

const markdown = (html: string) => htmlToMarkdown(parseHtml(html).body)

it.each([
  ['<h2>Head</h2><p>One <b>two</b> <em>three</em></p>', '## Head\n\nOne **two** *three*'],
  ['<p>See <a href="https://x.org/long?a=b">the page</a>.</p>', 'See the page.'],
  ['<p><img src="a.png" alt="A chart"> and <img src="b.png"></p>', '[image: A chart] and'],
  ['<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul>', '- one\n- two\n  - inner'],
  ['<ol start="3"><li>three</li><li>four</li></ol>', '3. three\n4. four'],
  ['<pre><code class="language-sh">run  it\n  now</code></pre>', '```\nrun  it\n  now\n```'],
  ['<pre>plain\ntext</pre>', '```\nplain\ntext\n```'],
  ['<pre>a ``` b</pre>', '````\na ``` b\n````'],
  ['<p>keep_alive [0] * 2 # x_y</p>', 'keep_alive [0] * 2 # x_y'],
  ['<p>Set <code>num_ctx</code></p>', 'Set `num_ctx`'],
  ['<blockquote><p>quoted</p></blockquote>', '> quoted'],
  ['<button>Buy</button><p>text</p><input value="x"><select><option>y</select>', 'text'],
  ['', ''],
])('%s becomes %j', (html, expected) => {
  expect(markdown(html)).toBe(expected)
})

it('keeps the rows and columns of a table', () => {
  const html = `<table><caption>Ports</caption><thead><tr><th>Name</th><th>Port</th></tr></thead>
    <tbody><tr><td><code>serve</code></td><td>114<b>34</b></td></tr><tr><td>a|b</td><td>x<br>y</td></tr></tbody></table>`
  expect(markdown(html)).toBe('| Name | Port |\n| --- | --- |\n| `serve` | 11434 |\n| a\\|b | x y |')
})

it('reads a table that only lays out the page as the page', () => {
  const html = '<table><tr><td><h2>Head</h2><p>one</p><p>two</p></td></tr></table>'
  expect(markdown(html)).toBe('## Head\n\none\n\ntwo')
})

it('reads a very long page without list marks rather than not at all', () => {
  const html = `<h2>Start</h2>${'<p>paragraph with a few words</p>'.repeat(15_000)}<pre>code</pre><p>end</p>`
  const text = markdown(html)
  expect(text.startsWith('## Start\n\nparagraph with a few words\n\n')).toBe(true)
  expect(text.endsWith('```\ncode\n```\n\nend')).toBe(true)
})
