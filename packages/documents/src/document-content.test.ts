import { expect, it } from 'vitest'
import { documentContent } from './document-content.js'

it.each([
  ['a.md', '## Named\n\ntext', 'Named'],
  ['start-here_now.md', 'text only', 'start here now'],
  ['deep/notes.txt', '', 'notes'],
  ['a.html', '<title>T</title><h1>H</h1>', 'H'],
  ['a.htm', '<title>T</title><p>x</p>', 'T'],
  ['my-page.HTML', '<p>x</p>', 'my page'],
  ['---.md', '', '---'],
])('the title of %s with %j is %j', (path, text, title) => {
  expect(documentContent(path, text).title).toBe(title)
})

it('leaves the chrome of a page out', () => {
  const html = '<header>banner</header><nav>menu</nav><script>evil()</script><p>text</p><footer>foot</footer>'
  expect(documentContent('a.html', html).blocks).toEqual([{ kind: 'text', text: 'text' }])
})
