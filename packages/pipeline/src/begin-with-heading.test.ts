import { expect, it } from 'vitest'
import { beginWithHeading } from './begin-with-heading.js'

const begin = (text: string) => beginWithHeading(text, { item: 'module', heading: 'Module 1: A' })

it.each([
  ['a forgotten heading', 'Text.', '## Module 1: A\n\nText.'],
  ['one that is right', '## Module 1: A\n\nText.', '## Module 1: A\n\nText.'],
  ['one of another level', '# Module 1: A\nText.', '## Module 1: A\nText.'],
  [
    'the line above it in the prompt',
    '# The module to write now\n\n## Module 1: A\n\nT',
    '## Module 1: A\n\nT',
  ],
  ['that line alone', '# The module to write now\n\nText.', '## Module 1: A\n\nText.'],
  ['a heading of its own', '### Another title\n\nText.', '### Another title\n\nText.'],
  ['a number sign that is none', '#tag', '## Module 1: A\n\n#tag'],
])('%s', (_name, text, expected) => {
  expect(begin(text)).toBe(expected)
})
