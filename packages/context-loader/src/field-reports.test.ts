import { splitSections } from '@icm/contract-parser'
import { describe, expect, it } from 'vitest'
import { splitItems } from './for-each.js'

describe('failures that were reported from the field', () => {
  it('E01: only real level-2 headings are items; with heading lines and bodies nothing of the source is lost', () => {
    const pieces = [
      '---\ntitle: "## front matter"\n---\n\nIntroduction\n\n',
      '## First\n\n```\n## x\n```\n\n~~~~ md\n## x\n~~~\n## x\n~~~~\n\n- item\n  ```\n  ## x\n  ```\n\n',
      '## Real ##\n\n<!--\n## x\n-->\nText above a rule\n---\nText below it, `## x`\n\n``` not`a fence\n',
      '## Last\n\n````\n```\n## x\n````\n### Deeper\nend',
    ]
    for (const ending of ['\n', '\r\n']) {
      const source = pieces.join('').replaceAll('\n', ending)
      // A line of dashes underlines no heading: contracts and outlines use it between sections.
      expect(splitItems(source, 'part').items.map((item) => item.heading)).toEqual(['First', 'Real', 'Last'])
      const sections = splitSections(source, 2)
      const whole = sections.map(({ heading, body }) => source.slice(heading.start, heading.bodyStart) + body)
      expect(whole).toEqual(pieces.slice(1).map((piece) => piece.replaceAll('\n', ending)))
      expect(source.slice(0, sections[0]?.heading.start) + whole.join('')).toBe(source)
    }
  })

  it('E02: equal headings are items of their own', () => {
    const { items } = splitItems('## A\none\n\n## A\ntwo\n\n## A 2\nthree\n', 'part')
    expect(items.map(({ index, heading, body }) => [index, heading, body])).toEqual([
      [1, 'A', 'one'],
      [2, 'A', 'two'],
      [3, 'A 2', 'three'],
    ])
  })
})
