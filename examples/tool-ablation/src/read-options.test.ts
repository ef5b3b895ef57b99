import { expect, it } from 'vitest'
import { readOptions } from './read-options.js'

it('reads models, counts and repeats', () => {
  const words = '--model a --model b --tools 5,40 --repeats 1 --confusions --out x --max-minutes 3'
  expect(readOptions(words.split(' '))).toMatchObject({
    models: ['a', 'b'],
    counts: [5, 40],
    repeats: 1,
    provider: 'ollama',
    contextWindow: 16_384,
    confusions: true,
    out: 'x',
    maxMinutes: 3,
  })
  expect(readOptions(['--model', 'a'])?.counts).toEqual([5, 10, 15, 25, 40])
  expect(readOptions(['--help'])).toBeUndefined()
})

it.each([
  [[], /No model was named\. Add --model/],
  [['--model', 'a', '--tools', '4'], /--tools was "4"\. Use whole numbers from 5 to 40\./],
  [['--model', 'a', '--tools', '5,'], /--tools was ""/],
  [['--model', 'a', '--repeats', '0'], /--repeats was "0"/],
  [['--model', 'a', '--provider', 'x'], /Use ollama or llama/],
  [['--modle', 'a'], /^Unknown option '--modle'\. See --help\.$/],
])('%j: %s', (words, message) => {
  expect(() => readOptions(words)).toThrow(message)
})
