import { parseHtml } from '@icm/documents'
import { expect, it } from 'vitest'
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

it('reads a very long page like a short one', () => {
  const item = (number: number) => `<li>item ${number} with a few words</li>`
  const numbers = Array.from({ length: 3_000 }, (_, index) => index + 1)
  const html = `<h2>Start</h2>${'<p>A <b>paragraph</b> with a few words</p>'.repeat(5_000)}<ol>${numbers.map(item).join('')}</ol>
    <pre>${'line of code\n'.repeat(3_000)}</pre><table>${'<tr><td>a</td><td>b</td></tr>'.repeat(2_000)}</table><p>end</p>`
  const lines = markdown(html).split('\n')
  expect(lines.slice(0, 3)).toEqual(['## Start', '', 'A **paragraph** with a few words'])
  expect(lines.filter((line) => line === 'A **paragraph** with a few words')).toHaveLength(5_000)
  expect(lines.filter((line) => /^\d+\. item/.test(line))).toEqual(
    numbers.map((number) => `${number}. item ${number} with a few words`),
  )
  expect(lines.filter((line) => line === 'line of code')).toHaveLength(3_000)
  expect(lines.filter((line) => line === '| a | b |')).toHaveLength(2_000)
  expect(lines.at(-1)).toBe('end')
})

it('shortens long gaps, which no pattern may have to try at every place', () => {
  expect(markdown(`<pre>a${' '.repeat(300_000)}b\n  c${'\n'.repeat(9_000)}d</pre>`)).toBe(
    '```\na b\n  c\nd\n```',
  )
  expect(markdown(`<p>a${'&nbsp;'.repeat(50_000)}b ${'<i>&nbsp;</i>'.repeat(5_000)}c</p>`)).toMatch(
    /^a\s+b\s+c$/,
  )
})
