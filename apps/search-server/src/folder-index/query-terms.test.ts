import { describe, expect, it } from 'vitest'
import { foldTerm, queryTerms, splitWords, wordStem } from './query-terms.js'

it.each([
  ['OLLAMA_HOST=127.0.0.1:11434', ['OLLAMA', 'HOST', '127', '0', '0', '1', '11434']],
  ['keep_alive, num-ctx; `q4_k_m`', ['keep', 'alive', 'num', 'ctx', 'q4', 'k', 'm']],
  ['a+b <tag>\t\n€', ['a', 'b', 'tag']],
  ['', []],
])('%j has the words %j', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})

describe('foldTerm', () => {
  it.each([
    ['Łódź', 'lodz'],
    ['ZAŻÓŁĆ', 'zazolc'],
    ['naïve', 'naive'],
    ['ﬁne', 'fine'],
  ])('%s is kept as %s', (term, folded) => {
    expect(foldTerm(term)).toBe(folded)
  })

  it('keeps encoded data out of the index', () => {
    expect(foldTerm('A'.repeat(65))).toBeUndefined()
  })
})

it.each([
  ['What is the default port of Ollama?', ['default', 'port', 'ollama']],
  ['port port PORT', ['port']],
  ['what is this', ['what', 'is', 'this']],
  ['jak zmienić port', ['jak', 'zmienic', 'port']],
  ['?!', []],
])('the terms of %j are %j', (query, terms) => {
  expect(queryTerms(query)).toEqual(terms)
})

it.each([
  ['installing', 'install'],
  ['settings', 'set'],
  ['running', 'run'],
  ['models', 'model'],
  ['licences', 'licenc'],
  ['called', 'call'],
  ['process', 'process'],
  ['class', 'class'],
  ['red', 'red'],
  ['this', 'this'],
  ['gpus', 'gpus'],
])('the stem of %s is %s', (term, stem) => {
  expect(wordStem(term)).toBe(stem)
})
