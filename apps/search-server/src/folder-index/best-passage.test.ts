import { markdownBlocks } from '@icm/documents'
import { describe, expect, it } from 'vitest'
import { bestPassage, maxSnippetCharacters, shorten } from './best-passage.js'

const passage = (markdown: string, ...terms: readonly string[]) =>
  bestPassage(markdownBlocks(markdown), new Map(terms.map((term) => [term, { term, worth: 1 }])))

describe('bestPassage', () => {
  it('takes the sentence with the most of the words, and the one behind it', () => {
    const text = 'Tea is grown in many lands. The default port is 11434. It can be changed. Coffee too.'
    expect(passage(text, 'default', 'port')).toBe('The default port is 11434. It can be changed.')
  })

  it('joins neighbours that have the words together', () => {
    const text = 'Nothing here. The server has a default. Its port is 11434. Nothing there.'
    expect(passage(text, 'default', 'port')).toBe('The server has a default. Its port is 11434.')
  })

  it('counts words that stand for one query word once', () => {
    const matched = new Map([
      ['stream', { term: 'streaming', worth: 0.8 }],
      ['streaming', { term: 'streaming', worth: 1 }],
      ['json', { term: 'json', worth: 1 }],
    ])
    const blocks = markdownBlocks('Stream or no streaming.\n\nOther words.\n\nStreaming sends json.')
    expect(bestPassage(blocks, matched)).toBe('Streaming sends json.')
  })

  it('prefers a rare word of the document to its subject', () => {
    const text =
      'The model is small. A model is a file.\n\nEach model has a licence text.\n\nThe model is fast.'
    expect(passage(text, 'model', 'licence')).toContain('licence')
    expect(passage('Model one.\n\nModel two.\n\nModel three.\n\nA licence.', 'model', 'licence')).toContain(
      'licence',
    )
  })

  it('puts a heading in front of its text, and never shows it alone where there is text', () => {
    expect(passage('# Doc\n\nIntro.\n\n## Port\n\nIt is 11434.', 'port')).toBe('Port: It is 11434.')
  })

  it('shows a command with the line that leads to it', () => {
    expect(passage('Listen on another port:\n\n```\nserve --port 1\n```', 'port')).toBe(
      'Listen on another port: serve --port 1',
    )
  })

  it('cuts a long sentence around the word, between words', () => {
    const text = `${'filler words '.repeat(40)}the needle sits here ${'and more filler '.repeat(40)}`
    const found = passage(text, 'needle')
    expect(found.length).toBeLessThanOrEqual(maxSnippetCharacters)
    expect(found).toMatch(/^… .*\bthe needle sits here\b.*…$/)
  })

  it('never exceeds its length, whatever the text', () => {
    for (const text of [
      'x'.repeat(500),
      `needle${'x'.repeat(500)}`,
      `${'x'.repeat(500)} needle`,
      '😀'.repeat(300),
    ]) {
      expect(passage(text, 'needle').length).toBeLessThanOrEqual(maxSnippetCharacters)
    }
  })

  it('is empty for a document without text', () => {
    expect(passage('', 'port')).toBe('')
    expect(passage('---', 'port')).toBe('')
  })
})

it.each([
  ['short', 10, 'short'],
  ['one two three', 9, 'one two…'],
  ['abcdefghijkl', 5, 'abcd…'],
  ['😀😀😀', 4, '😀…'],
])('%j in %i characters is %j', (text, length, expected) => {
  expect(shorten(text, length)).toBe(expected)
})
