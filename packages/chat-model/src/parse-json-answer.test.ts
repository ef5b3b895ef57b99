import { expect, it } from 'vitest'
import { parseJsonAnswer } from './parse-json-answer.js'

const value = { a: ['`', '}'] }
const json = JSON.stringify(value)

it.each([
  ['bare', `  ${json}\n`],
  ['fenced', `\`\`\`json\n${json}\n\`\`\``],
  ['fenced with tildes', `~~~\n${json}\n~~~`],
  ['fenced and introduced', `Sure:\n\n\`\`\`json\n${json}\n\`\`\`\nDone {here}.`],
  ['introduced', `The object is ${json} as wanted.`],
])('finds JSON that is %s', (_, text) => {
  expect(parseJsonAnswer(text)).toEqual({ value })
})

it.each<[string, unknown]>([
  ['"text"', 'text'],
  ['[1]', [1]],
  ['null', null],
])('takes any JSON value: %s', (text, expected) => {
  expect(parseJsonAnswer(text)).toEqual({ value: expected })
})

it.each([
  ['', 'The answer is empty.'],
  ['I like it.', 'The answer is not JSON'],
  ['{"a":', 'The answer is not JSON'],
  ['{a: 1}', 'The answer is not JSON'],
])('says what is wrong with %j', (text, problem) => {
  expect(parseJsonAnswer(text)).toEqual({ problem: expect.stringContaining(problem) })
})
