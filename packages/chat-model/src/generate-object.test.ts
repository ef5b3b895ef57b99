import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { generateObject } from './generate-object.js'
import { scripted } from './testing/scripted.js'
import type { Message } from './types.js'

const schema = z.object({
  verdict: z.enum(['good', 'bad']),
  score: z.number().int(),
  notes: z.string().default(''),
})
const messages: readonly Message[] = [
  { role: 'system', text: 'Judge.' },
  { role: 'user', text: 'The draft.' },
]
const good = '{"verdict":"good","score":7}'

describe('generateObject', () => {
  it('validates, fills defaults and types the object', async () => {
    const model = scripted([good])
    const { object, response } = await generateObject(model, { messages, schema })
    expect(object).toEqual({ verdict: 'good', score: 7, notes: '' })
    expect(response.message.text).toBe(good)
    expectTypeOf(object).toEqualTypeOf<{ verdict: 'good' | 'bad'; score: number; notes: string }>()
  })

  it('sends the schema twice, behind everything that was there, and a cap', async () => {
    const model = scripted([good, good])
    await generateObject(model, { messages, schema, temperature: 0 })
    const [request] = model.requests
    expect(request).toMatchObject({ maxOutputTokens: 1024, temperature: 0, outputSchema: { type: 'object' } })
    expect(request?.messages[0]).toEqual(messages[0])
    expect(request?.messages[1]?.text.startsWith('The draft.\n\n')).toBe(true)
    expect(request?.messages[1]?.text).toContain('"enum":["good","bad"]')
    await generateObject(model, { messages, schema, maxOutputTokens: 50 })
    expect(model.requests[1]?.maxOutputTokens).toBe(50)
  })

  it('adds a message of its own where the last one is no user', async () => {
    const model = scripted([good])
    await generateObject(model, { messages: [{ role: 'system', text: 'Judge.' }], schema })
    expect(model.requests[0]?.messages.map((message) => message.role)).toEqual(['system', 'user'])
  })

  it.each([
    ['a fence', `\`\`\`json\n${good}\n\`\`\``],
    ['an introduction', `Here is the JSON:\n${good}\nI hope it helps.`],
    ['a number as text', '{"verdict":"good","score":"7"}'],
  ])('takes %s without a second request', async (_, answer) => {
    const model = scripted([answer])
    expect((await generateObject(model, { messages, schema })).object).toMatchObject({
      verdict: 'good',
      score: 7,
    })
    model.assertDone()
  })

  it('shows the faults once and takes the mended answer', async () => {
    const model = scripted(['{"verdict":"fine","score":7}', good])
    expect((await generateObject(model, { messages, schema })).object.verdict).toBe('good')
    const repair = model.requests[1]?.messages ?? []
    expect(repair.slice(0, 2)).toEqual(model.requests[0]?.messages)
    expect(repair[2]).toEqual({ role: 'assistant', text: '{"verdict":"fine","score":7}' })
    expect(repair[3]?.text).toContain('verdict: ')
  })

  it('gives up after the repairs, with the faults', async () => {
    const model = scripted(['I like it.', 'I really do.'])
    await expect(generateObject(model, { messages, schema })).rejects.toMatchObject({
      code: 'chat/invalid-output',
      details: { issues: [expect.stringContaining('not JSON')], answer: 'I really do.' },
    })
    model.assertDone()
  })

  it('repairs as often as it is told', async () => {
    const never = scripted(['no'])
    await expect(generateObject(never, { messages, schema, repairAttempts: 0 })).rejects.toMatchObject({
      code: 'chat/invalid-output',
    })
    never.assertDone()
    const thrice = scripted(['no', 'no', 'no', good])
    expect((await generateObject(thrice, { messages, schema, repairAttempts: 3 })).object.score).toBe(7)
  })

  it('says that an answer was cut off', async () => {
    const model = scripted(['{"verdict":"good","sc', good], { reason: 'length' })
    await generateObject(model, { messages, schema })
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('cut off')
  })

  it('stops an answer that repeats itself before it is over', async () => {
    const model = scripted([`{"verdict":"good","notes":"${'the '.repeat(500)}"}`])
    const error = await generateObject(model, { messages, schema }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'chat/degenerate-output', what: expect.stringContaining('the') })
    expect((error as { details: { written: number } }).details.written).toBeLessThan(2_000)
    model.assertDone() // not repaired
  })
})
