import { expect, it } from 'vitest'
import { splitSections } from './sections.js'

it('cuts exact slices that make up the text again', () => {
  const text = '# T\r\nintro\r\n## A\r\n```\r\n## no\r\n```\r\n### a1\r\n## B ##\r\nlast'
  const sections = splitSections(text, 2)
  expect(sections.map((section) => section.heading.text)).toEqual(['A', 'B'])
  expect(sections.map((section) => section.body)).toEqual(['```\r\n## no\r\n```\r\n### a1\r\n', 'last'])
  const first = sections[0]?.heading.start ?? 0
  const rest = sections.map(
    (section) => text.slice(section.heading.start, section.heading.bodyStart) + section.body,
  )
  expect(text.slice(0, first) + rest.join('')).toBe(text)
})

it('lets a higher heading end a section without opening one', () => {
  const sections = splitSections('## A\na\n# X\nx\n## B\nb', 2)
  expect(sections.map((section) => [section.heading.text, section.body])).toEqual([
    ['A', 'a\n'],
    ['B', 'b'],
  ])
})

it('keeps duplicates and empty bodies', () => {
  expect(splitSections('## A\n## A', 2).map((section) => section.body)).toEqual(['', ''])
})
