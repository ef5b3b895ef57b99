import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recoverToolCalls } from '../recover-tool-calls.js'
import type { ToolSpec } from '../types.js'

interface Answer {
  /** The model that wrote it, or `made by hand`. */
  readonly source: string
  readonly form: string
  readonly answer: string
  /** None: it is not a call. */
  readonly calls: readonly { readonly name: string; readonly arguments: object }[]
}

interface AnswerSet {
  readonly tools: readonly {
    readonly name: string
    readonly required: readonly string[]
    readonly properties: { readonly [name: string]: string }
  }[]
  readonly answers: readonly Answer[]
}

const file = new URL('./__fixtures__/answers.json', import.meta.url)
const { tools, answers } = JSON.parse(readFileSync(file, 'utf8')) as AnswerSet

const specs = tools.map(({ name, required, properties }): ToolSpec => {
  const types = Object.entries(properties).map(([key, type]) => [key, { type }])
  const inputSchema = { type: 'object', properties: Object.fromEntries(types), required: [...required] }
  return { name, description: name, inputSchema }
})

const calls = answers.filter((answer) => answer.calls.length > 0)
const others = answers.filter((answer) => answer.calls.length === 0)

describe('real answers and answers made by hand', () => {
  it('are enough, and half of them are no calls', () => {
    expect(answers.length).toBeGreaterThanOrEqual(60)
    expect(Math.abs(calls.length - others.length)).toBeLessThanOrEqual(answers.length / 10)
    expect(new Set(answers.map((answer) => answer.answer)).size).toBe(answers.length)
  })

  it('no answer that is no call is taken for one', () => {
    const taken = others.filter(({ answer }) => recoverToolCalls(answer, specs).length > 0)
    expect(taken.map(({ source, form }) => `${source}: ${form}`)).toEqual([])
  })

  it('at least 95 of 100 calls are found, each with its name and its arguments', () => {
    const missed = calls.filter(
      ({ answer, calls: expected }) =>
        JSON.stringify(recoverToolCalls(answer, specs)) !== JSON.stringify(expected),
    )
    const names = missed.map(({ source, form }) => `${source}: ${form}`).join('; ')
    expect(missed.length / calls.length, names).toBeLessThanOrEqual(0.05)
  })
})
