import { describe, expect, it } from 'vitest'
import { createDegenerationDetector } from './degenerate-output.js'

/** Where the detector stops a text that comes in pieces of a token's size; undefined: never. */
function stopsAt(text: string, pieceSize = 4): number | undefined {
  const detect = createDegenerationDetector()
  for (let index = 0; index < text.length; index += pieceSize) {
    if (detect(text.slice(index, index + pieceSize)) !== undefined) return index + pieceSize
  }
  return undefined
}

describe('stops', () => {
  it.each([
    ['spaces', `{"a":"x"${' '.repeat(1_000)}`, 250],
    ['mixed white space', `{"a":1,${'\n\t '.repeat(300)}`, 250],
    ['one character', `{"a":"${'a'.repeat(2_000)}`, 200],
    ['one word', `{"fix":"${'the '.repeat(500)}`, 200],
    ['a phrase of eight words', `{"fix":"${'and so on and on it always goes, '.repeat(100)}`, 1_000],
    ['objects in a list', `[${'{"step":"repeat the step"},'.repeat(100)}`, 900],
  ])('%s', (_, text, latest) => {
    for (const pieceSize of [1, 4, 37]) expect(stopsAt(text, pieceSize)).toBeLessThan(latest)
  })

  it('says what it saw', () => {
    expect(createDegenerationDetector()(' '.repeat(300))).toContain('300 characters of white space')
    expect(createDegenerationDetector()('ha'.repeat(200))).toBe('wrote "ha" again and again')
  })
})

describe('lets through', () => {
  it.each([
    [
      'prose',
      'Ownership is a set of rules. Each value has one owner, and the value is dropped with it. '.repeat(3),
    ],
    ['a rule', `# Title\n\n${'-'.repeat(100)}\n\nText that goes on.`],
    ['a table', `${'| a | b |\n'.repeat(10)}`],
    [
      'deep indentation',
      `{\n${Array.from({ length: 60 }, (_, index) => `${' '.repeat(60)}"key${index}": ${index},\n`).join('')}}`,
    ],
    ['numbers', Array.from({ length: 500 }, (_, index) => index).join(', ')],
    ['a run of blanks that is short enough', `a${' '.repeat(190)}b`],
    ['a phrase that comes often, but never in a row', 'It is what it is. '.repeat(15)],
  ])('%s', (_, text) => {
    for (const pieceSize of [1, 4, 37]) expect(stopsAt(text, pieceSize)).toBeUndefined()
  })
})
