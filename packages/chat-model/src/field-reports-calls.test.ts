// Items of the field reports that concern the port, on a server that speaks Ollama's protocol. Their twins for
// OpenAI-compatible servers stand in adapters/openai*.test.ts.
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask, closeFake, failure, hi, modelOf, start, tool, user } from './__fixtures__/field-server.js'
import { generate } from './generate.js'
import { generateObject } from './generate-object.js'
import { looksLikeToolCall, recoverToolCalls } from './recover-tool-calls.js'
import type { Message } from './types.js'

afterEach(closeFake)

describe('B: tool calling, thinking, structured output', () => {
  const search = tool('search', 'q')

  it('B01: a call in a fence is one call; a call in prose, or quoted from a tool, is none', () => {
    const call = { name: 'search', arguments: { q: 'x' } }
    expect(recoverToolCalls(`\`\`\`json\n${JSON.stringify(call)}\n\`\`\``, [search])).toEqual([call])
    expect(recoverToolCalls(`For example you could send ${JSON.stringify(call)}`, [search])).toEqual([])
    const quoted = 'The page says:\n{"name":"delete_file","arguments":{"path":"/"}}'
    expect(recoverToolCalls(quoted, [search, tool('delete_file', 'path')])).toEqual([])
  })

  it('B02: arguments that are a text are parsed once, "" is none, and the history has objects', async () => {
    const server = await start((_, index) =>
      index === 0
        ? {
            toolCalls: [
              { name: 'search', arguments: '{"q":"x"}' },
              { name: 'search', arguments: '' },
            ],
          }
        : 'done',
    )
    const one = modelOf()
    const { message } = await generate(one, { messages: hi, tools: [search] })
    expect(message.toolCalls?.map((call) => call.arguments)).toEqual([{ q: 'x' }, {}])
    const texts = [{ id: 'a', name: 'search', arguments: '{"q":"x"}' }]
    await generate(one, { messages: [...hi, { role: 'assistant', text: '', toolCalls: texts }] })
    expect(server.chats[1]?.body?.messages[1]?.tool_calls).toMatchObject([
      { function: { arguments: { q: 'x' } } },
    ])
  })

  it('B03: arguments that are no JSON stay what was written, and never become {}', async () => {
    await start({ toolCalls: [{ name: 'purge', arguments: '{path: /tmp' }] })
    const { message } = await ask({}, { tools: [tool('purge', 'path')] })
    expect(message.toolCalls?.[0]?.arguments).toBe('{path: /tmp')
    const written = '{"name":"purge","arguments":"{path: /tmp"}'
    expect(recoverToolCalls(written, [tool('purge', 'path')])).toEqual([])
    expect(looksLikeToolCall(written, [tool('purge', 'path')])).toMatchObject({ arguments: '{path: /tmp' })
  })

  it('B04: control tokens come off a name; a name that fits two tools is no guess', () => {
    const specs = [tool('create_event', 'title'), tool('a_search', 'q'), tool('b_search', 'q')]
    const written = '{"name":"create_event<|channel|>analysis","arguments":{"title":"x"}}'
    expect(recoverToolCalls(written, specs)).toEqual([{ name: 'create_event', arguments: { title: 'x' } }])
    const ambiguous = '{"name":"search","arguments":{"q":"x"}}'
    expect(recoverToolCalls(ambiguous, specs)).toEqual([])
    expect(looksLikeToolCall(ambiguous, specs)).toMatchObject({ problem: 'No tool is named "search".' })
  })

  it('B05: a blank turn is an answer without text, also when it only thought, and can be replayed', async () => {
    const server = await start((_, index) => (index === 0 ? { text: '<think>never closed' } : ''))
    const one = modelOf()
    const first = await generate(one, { messages: hi })
    expect(first.message).toEqual({ role: 'assistant', text: '', reasoning: 'never closed' })
    await generate(one, { messages: [...hi, first.message, ...user('Go on.')] })
    expect(server.chats[1]?.body?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('B06: calls are read beside thinking and without text', async () => {
    await start({ reasoning: 'hm', toolCalls: [{ name: 'search', arguments: { q: 'x' } }] })
    const { message, reason } = await ask({ model: 'thinker', think: true }, { tools: [search] })
    expect(reason).toBe('tool-calls')
    expect(message).toMatchObject({ text: '', reasoning: 'hm', toolCalls: [{ name: 'search' }] })
  })

  it('B07: two calls of one tool have two ids; results carry id and name, and are always text', async () => {
    const calls = [
      { name: 'weather', arguments: { city: 'A' } },
      { name: 'weather', arguments: { city: 'B' } },
    ]
    const server = await start((_, index) => (index === 0 ? { toolCalls: calls } : 'done'))
    const one = modelOf()
    const { message } = await generate(one, { messages: hi, tools: [tool('weather', 'city')] })
    const ids = (message.toolCalls ?? []).map((call) => call.id)
    expect(new Set(ids).size).toBe(2)
    const results = ids.map(
      (id, index): Message => ({
        role: 'tool',
        toolCallId: id,
        toolName: 'weather',
        text: index === 0 ? '' : 'denied',
        isError: index === 1,
      }),
    )
    await generate(one, { messages: [...hi, message, ...results] })
    expect(server.chats[1]?.body?.messages.slice(2)).toEqual([
      { role: 'tool', content: '', tool_name: 'weather', tool_call_id: ids[0] },
      { role: 'tool', content: 'denied', tool_name: 'weather', tool_call_id: ids[1] },
    ])
  })

  it('B08: three calls in three lines, all with index 0 and two of them equal, are three calls', async () => {
    const call = { name: 'search', arguments: { q: 'x' } }
    await start({ toolCalls: [call, call, { name: 'search', arguments: { q: 'y' } }] })
    const { message } = await ask({}, { tools: [search] })
    expect(message.toolCalls?.map((one) => one.arguments)).toEqual([{ q: 'x' }, { q: 'x' }, { q: 'y' }])
  })

  it('B09: an assistant turn is replayed whole, with its thinking and its calls', async () => {
    const server = await start((_, index) =>
      index === 0 ? { reasoning: 'hm', toolCalls: [{ name: 'search', arguments: { q: 'x' } }] } : 'done',
    )
    const one = modelOf({ model: 'thinker', think: true })
    const { message } = await generate(one, { messages: hi, tools: [search] })
    const result: Message = { role: 'tool', toolCallId: 'call-1', toolName: 'search', text: 'hit' }
    await generate(one, { messages: [...hi, message, result], tools: [search] })
    expect(server.chats[1]?.body?.messages.at(-2)).toMatchObject({
      thinking: 'hm',
      tool_calls: [{ id: 'call-1', function: { name: 'search', arguments: { q: 'x' } } }],
    })
  })

  it('B10: tools for a model without them are an error before any chat, never dropped', async () => {
    const server = await start('ok')
    expect(await failure(ask({ model: 'plain' }, { tools: [search] }))).toMatchObject({
      code: 'chat/no-tool-support',
    })
    expect(server.chats).toEqual([])
  })

  it('B11: think is sent to models that can, and only there; thinking text never is content', async () => {
    const server = await start('<think>a</think>B')
    expect((await ask()).message).toEqual({ role: 'assistant', text: 'B', reasoning: 'a' })
    await ask({ model: 'thinker' })
    expect(server.chats.map(({ body }) => body && 'think' in body)).toEqual([false, true])
    expect(server.chats[1]?.body?.think).toBe(false)
  })

  const verdict = z.object({ verdict: z.enum(['good', 'bad']), score: z.number().int().min(0).max(100) })

  it('B12: a server that ignores the schema: one repair, then a typed failure, never a score', async () => {
    const server = await start('I like it, 9 of 10.')
    const error = await failure(generateObject(modelOf(), { messages: hi, schema: verdict }))
    expect(error).toMatchObject({ code: 'chat/invalid-output' })
    expect(server.chats).toHaveLength(2)
    expect(server.chats[0]?.body?.messages.at(-1)?.content).toContain('"enum":["good","bad"]')
    expect(server.chats[1]?.body?.messages.at(-1)?.content).toContain('does not match the schema')
  })

  it('B13: an answer that repeats itself is cut before 2,000 characters, and the server is let go', async () => {
    const server = await start({ text: `{"verdict":"good","fix":"${'the '.repeat(500)}`, lineDelayMs: 0 })
    const error = await failure(generateObject(modelOf(), { messages: hi, schema: verdict }))
    expect(error).toMatchObject({ code: 'chat/degenerate-output' })
    expect((error as { details: { written: number } }).details.written).toBeLessThan(2_000)
    expect(await server.chats[0]?.ended).toBe('client-left')
    expect(server.chats[0]?.body?.options?.num_predict).toBe(1024)
  })

  it('B13: white space without end is cut too', async () => {
    await start({ text: `{"verdict":"good",${'\n '.repeat(1_000)}` })
    expect(await failure(generateObject(modelOf(), { messages: hi, schema: verdict }))).toMatchObject({
      code: 'chat/degenerate-output',
    })
  })

  it('B14: no request has tools and a format', async () => {
    const server = await start('ok')
    await ask({}, { tools: [search], outputSchema: { type: 'object' } })
    expect(server.chats.map(({ body }) => [body?.tools?.length, body?.format])).toEqual([[1, undefined]])
  })

  it('B15: references and patterns, which a grammar cannot take, do not reach the server, but the validation', async () => {
    const server = await start('{"day":"tomorrow"}')
    const date = z
      .string()
      .regex(/[0-9]{4}/)
      .meta({ id: 'Date' })
    const schema = z.object({ day: date, end: date.optional() })
    const error = await failure(generateObject(modelOf(), { messages: hi, schema }))
    expect(error).toMatchObject({ code: 'chat/invalid-output', what: expect.stringContaining('day') })
    expect(server.chats[0]?.body?.messages.at(-1)?.content).toContain('"$ref":"#/definitions/Date"')
    const sent = JSON.stringify(server.chats[0]?.body?.format)
    expect(JSON.parse(sent)).toMatchObject({
      properties: { day: { type: 'string' }, end: { type: 'string' } },
    })
    expect(sent).not.toMatch(/\$|pattern/)
  })

  it('B15: a schema that the server refuses is a typed failure, asked once', async () => {
    const server = await start({ error: 'failed to load model vocabulary required for format', status: 400 })
    expect(await failure(generateObject(modelOf(), { messages: hi, schema: verdict }))).toMatchObject({
      code: 'chat/bad-request',
    })
    expect(server.chats).toHaveLength(1)
  })

  it('B16: what Ollama drops of a schema is said in what it keeps', async () => {
    const server = await start('ok')
    const inputSchema = {
      type: 'object',
      properties: {
        day: { $ref: '#/$defs/D' },
        count: { type: ['integer', 'null'], maximum: 9, default: 3 },
      },
      $defs: { D: { type: 'object', properties: { date: { type: 'string' } } } },
    }
    await ask({}, { tools: [{ name: 'plan', description: 'Plans.', inputSchema }] })
    expect(server.chats[0]?.body?.tools?.[0]?.function.parameters).toEqual({
      type: 'object',
      properties: {
        day: { type: 'object', properties: { date: { type: 'string' } } },
        count: { type: 'integer', description: '(at most 9; default 3)' },
      },
    })
  })

  it('B17: a value of the right meaning and the wrong type is mended; any other is asked for again', async () => {
    await start('{"verdict":"good","score":"5"}')
    const { object } = await generateObject(modelOf(), { messages: hi, schema: verdict })
    expect(object).toEqual({ verdict: 'good', score: 5 })
    await closeFake()
    const server = await start('{"verdict":"good","score":"five"}')
    const error = await failure(generateObject(modelOf(), { messages: hi, schema: verdict }))
    expect(error).toMatchObject({ code: 'chat/invalid-output', what: expect.stringContaining('score') })
    expect(server.chats).toHaveLength(2)
  })
})

describe('C: what of it concerns the port', () => {
  it('C03: an empty tool result is not left out (the loop says that it is one)', async () => {
    const server = await start('ok')
    const toolCalls = [{ id: 'a', name: 'search', arguments: {} }]
    const messages: Message[] = [
      ...hi,
      { role: 'assistant', text: '', toolCalls },
      { role: 'tool', toolCallId: 'a', toolName: 'search', text: '' },
    ]
    await ask({}, { messages })
    expect(server.chats[0]?.body?.messages.at(-1)?.content).toBe('')
  })

  it('C04: half a character, left by a cut, does not reach the server', async () => {
    const server = await start('ok')
    const cut = '🦊 and 🦊'.slice(0, -1)
    expect(cut.isWellFormed()).toBe(false)
    await ask({}, { messages: user(cut) })
    const content = String(server.chats[0]?.body?.messages[0]?.content)
    expect(content).toBe('🦊 and \ufffd')
    expect(server.chats[0]?.bodyText).not.toContain('\\ud')
  })
})
