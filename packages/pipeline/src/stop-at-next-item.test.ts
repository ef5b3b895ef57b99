import { expect, it } from 'vitest'
import { stopAtNextItem } from './stop-at-next-item.js'

const others = ['Module 2: Milk', 'Module 3: Sugar']
const stop = (text: string) => stopAtNextItem(text, others)

it('ends a text where another item begins, at any level', () => {
  expect(stop('## Module 1: Tea\n\nPour.\n\n## Module 2: Milk\n\nAdd.')).toEqual({
    text: '## Module 1: Tea\n\nPour.',
    wentOnWith: 'Module 2: Milk',
  })
  expect(stop('Pour.\n\n# Module 3: Sugar\n- stir')).toEqual({ text: 'Pour.', wentOnWith: 'Module 3: Sugar' })
})

it.each([
  ['headings of its own', '## Module 1: Tea\n\n### Water\n\nPour.'],
  ['an item that is only named', '## Module 1: Tea\n\nThen comes Module 2: Milk.'],
  ['a heading inside a code block', 'Write:\n\n```\n## Module 2: Milk\n```\n\nDone.'],
  ['nothing of its own in front', '## Module 1: Tea\n\n## Module 2: Milk\n\nAdd.'],
])('keeps %s', (_name, text) => {
  expect(stop(text)).toEqual({ text })
})
