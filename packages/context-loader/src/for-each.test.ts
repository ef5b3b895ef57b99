import { describe, expect, it } from 'vitest'
import { splitItems } from './for-each.js'

describe('splitItems', () => {
  it('takes only headings that begin with the word, if there are any', () => {
    const text =
      '# Course\n\n## Plan\np\n\n## Module 1: A\n- a\n\n## MODULE 2\n- b\n\n## Modules in short\nx\n'
    expect(splitItems(text, 'module')).toEqual({
      items: [
        { index: 1, heading: 'Module 1: A', body: '- a' },
        { index: 2, heading: 'MODULE 2', body: '- b' },
      ],
      skipped: ['Plan', 'Modules in short'],
    })
  })

  it('takes all level-2 headings when none begins with the word, duplicates too', () => {
    const { items, skipped } = splitItems('## A\n1\n## A\n2\n### A 2\n3\n## A ##', 'module')
    expect(items.map((item) => [item.index, item.heading, item.body])).toEqual([
      [1, 'A', '1'],
      [2, 'A', '2\n### A 2\n3'],
      [3, 'A', ''],
    ])
    expect(skipped).toEqual([])
  })

  it('is not fooled by fences, lists, comments, front matter and rules', () => {
    const text = [
      '---',
      '## x: 1',
      '---',
      '## Real 1',
      'a',
      '```',
      '## no',
      '```',
      '~~~~md',
      '## no',
      '~~~',
      '~~~~',
      '- i',
      '  ```',
      '  ## no',
      '  ```',
      '- ## no',
      '<!--',
      '## no',
      '-->',
      'Builds on: nothing',
      '---',
      '## Real 2 ##',
      'b',
    ]
    const { items } = splitItems(text.join('\r\n'), 'part')
    expect(items.map((item) => item.heading)).toEqual(['Real 1', 'Real 2'])
    expect(items[0]?.body).toBe(text.slice(4, 22).join('\r\n'))
  })

  it('takes the entries of a numbered list when there is no level-2 heading', () => {
    const text =
      '# Objectives\n\n1. Run it.\n   On your machine.\n2) Call it.\n\n   1. inner\n   - inner\n10. Stop it.\n\nEnd.\n'
    expect(splitItems(text, 'objective')).toEqual({
      items: [
        { index: 1, heading: 'Run it.', body: 'On your machine.' },
        { index: 2, heading: 'Call it.', body: '1. inner\n   - inner' },
        { index: 3, heading: 'Stop it.', body: '' },
      ],
      skipped: [],
    })
    expect(splitItems('1. a\r\n2. b\r\n', 'x').items.map((item) => item.heading)).toEqual(['a', 'b'])
    expect(splitItems('## Real\n\n1. a\n', 'x').items.map((item) => item.heading)).toEqual(['Real'])
    for (const none of ['- a\n- b', '```\n1. a\n```', '<!--\n1. a\n-->', '1.a', '- x\n  1. a'])
      expect(splitItems(none, 'x').items).toEqual([])
  })

  it('knows words of other scripts and more than one word', () => {
    expect(splitItems('## Модуль 1\n## Модульность\n', 'модуль').skipped).toEqual(['Модульность'])
    expect(splitItems('## **Learning goal** 1\n## Other\n', 'learning goal').items).toHaveLength(1)
  })

  it('finds none in a text without level-2 headings', () => {
    expect(splitItems('# A\n### B\n', 'module')).toEqual({ items: [], skipped: [] })
  })
})
