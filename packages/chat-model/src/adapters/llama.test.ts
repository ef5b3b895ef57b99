import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeTinyGguf } from '../testing/write-tiny-gguf.js'
import type { ChatEvent, ChatModel, ChatRequest } from '../types.js'
import { llamaCpp } from './llama.js'

type Loaded = ChatModel & AsyncDisposable

const question: ChatRequest = { messages: [{ role: 'user', text: 'Tea?' }] }
const search = {
  name: 'search',
  description: 'Looks words up.',
  inputSchema: { type: 'object', properties: { kind: { enum: ['green', 'black'] } }, required: ['kind'] },
}

// Loading a model takes a second, and many on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
/** Says "Tée!" and stops, says "ab" for ever, calls the first tool it is offered. */
let talker: Loaded
let endless: Loaded
let caller: Loaded

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiny-gguf-'))
  await writeTinyGguf(join(folder, 'talker.gguf'), { says: ['T', 'é', 'a', '!'] })
  await writeTinyGguf(join(folder, 'endless.gguf'), { says: ['a', 'b'], atEnd: 'again' })
  await writeTinyGguf(join(folder, 'caller.gguf'), { says: ['<tool_call>', '{"name": "'] })
  const load = (name: string, contextSize: number) =>
    llamaCpp({ modelPath: join(folder, name), contextSize, threads: 1 })
  talker = await load('talker.gguf', 512)
  endless = await load('endless.gguf', 512)
  caller = await load('caller.gguf', 1024)
}, 120_000)

afterAll(async () => {
  for (const model of [talker, endless, caller]) await model?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function collect(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

function textOf(events: readonly ChatEvent[]): string {
  return events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
}

function finishOf(events: readonly ChatEvent[]): Extract<ChatEvent, { type: 'finish' }> {
  const last = events.at(-1)
  if (last?.type !== 'finish') throw new TypeError(`The last event is ${last?.type}.`)
  return last
}

describe('an answer', () => {
  it('streams whole characters and ends with the message and what it cost', async () => {
    expect(talker.id).toBe('llama/talker')
    expect(talker.contextWindow).toBe(512)
    const events = await collect(talker.stream(question))
    expect(events.filter((event) => event.type === 'text-delta').length).toBeGreaterThan(1)
    expect(textOf(events)).toBe('Téa!')
    const { reason, message, usage } = finishOf(events)
    expect(reason).toBe('stop')
    expect(message).toEqual({ role: 'assistant', text: 'Téa!' })
    expect(usage.inputTokens).toBeGreaterThan(10)
    expect(usage.outputTokens).toBeGreaterThanOrEqual(5)
    expect(usage.promptMs).toBeGreaterThanOrEqual(0)
    expect(usage.outputMs).toBeGreaterThanOrEqual(0)
    expect(usage.loadMs).toBeGreaterThan(0)
    expect(finishOf(await collect(talker.stream(question))).usage.loadMs).toBeUndefined()
  })

  it('ends with reason "length" at maxOutputTokens, and where the window is full', async () => {
    const short = finishOf(await collect(endless.stream({ ...question, maxOutputTokens: 10 })))
    expect(short.reason).toBe('length')
    expect(short.message.text).toBe('ababababab')
    const long = finishOf(await collect(endless.stream(question)))
    expect(long.reason).toBe('length')
    const total = (long.usage.inputTokens ?? 0) + (long.usage.outputTokens ?? 0)
    expect(total).toBeLessThan(512)
    expect(total).toBeGreaterThan(512 - 40)
    expect(long.message.text).toMatch(/^(ab)+a?$/)
  })

  it('is held to outputSchema, whatever the model tends to', async () => {
    const schema = {
      type: 'object',
      properties: { kind: { enum: ['green', 'black'] }, hot: { type: 'boolean' } },
      required: ['kind', 'hot'],
    }
    const { message, reason } = finishOf(await collect(talker.stream({ ...question, outputSchema: schema })))
    expect(reason).toBe('stop')
    const value = JSON.parse(message.text)
    expect(['green', 'black']).toContain(value.kind)
    expect(typeof value.hot).toBe('boolean')
  })

  it('is not held to outputSchema where tools are offered: the tools win', async () => {
    const request = { ...question, tools: [search], outputSchema: { type: 'boolean' } }
    expect(textOf(await collect(talker.stream(request)))).toBe('Téa!')
    const schema = { ...request, toolChoice: 'none' } as const
    expect(['true', 'false']).toContain(textOf(await collect(talker.stream(schema))))
  })

  it('is refused where a message has an image', async () => {
    const images = [{ mimeType: 'image/png', base64: 'AAAA' }]
    const seeing = talker.stream({ messages: [{ role: 'user', text: 'What is this?', images }] })
    await expect(collect(seeing)).rejects.toMatchObject({ code: 'chat/bad-request' })
  })
})

describe('a tool call', () => {
  it('in the model’s own format is an event with arguments held to the schema', async () => {
    const messages = [
      ...question.messages,
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ id: 'call-1', name: 'search', arguments: { kind: 'green' } }],
      },
      { role: 'tool', toolCallId: 'call-1', toolName: 'search', text: 'tea.md' },
    ] as const
    const events = await collect(caller.stream({ messages, tools: [search], maxOutputTokens: 300 }))
    const { reason, message } = finishOf(events)
    expect(reason).toBe('tool-calls')
    expect(message.text).toBe('')
    const [call] = message.toolCalls ?? []
    // The second id of this conversation, though the first was not given by this instance.
    expect(call).toMatchObject({ id: 'call-2', name: 'search' })
    expect([{ kind: 'green' }, { kind: 'black' }]).toContainEqual(call?.arguments)
    expect(events.filter((event) => event.type === 'tool-call')).toEqual([{ type: 'tool-call', call }])
  })

  it('is forced by toolChoice "required" and impossible with "none"', async () => {
    const forced = finishOf(
      await collect(talker.stream({ ...question, tools: [search], toolChoice: 'required' })),
    )
    expect(forced.reason).toBe('tool-calls')
    expect(forced.message.toolCalls?.[0]).toMatchObject({ id: 'call-1', name: 'search' })

    const none = finishOf(
      await collect(caller.stream({ ...question, tools: [search], toolChoice: 'none', maxOutputTokens: 8 })),
    )
    expect(none.message.toolCalls).toBeUndefined()
    expect(none.message.text).toMatch(/^[^\s<{]/)
  })
})

describe('an overlong prompt', () => {
  it('is refused before anything is evaluated, with the numbers', async () => {
    const long: ChatRequest = { messages: [{ role: 'user', text: 'x'.repeat(450) }] }
    const error = await collect(talker.stream(long)).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'chat/context-overflow', details: { contextWindow: 512 } })
    const { promptTokens } = (error as { details: { promptTokens: number } }).details
    expect(promptTokens).toBeGreaterThan(450)
    expect(String(error)).toContain(`Shorten the prompt by ${promptTokens + 96 - 512} tokens`)
    // A shorter answer fits beside the same prompt.
    expect(finishOf(await collect(talker.stream({ ...long, maxOutputTokens: 8 }))).message.text).toBe('Téa!')
  })
})

describe('an abort', () => {
  it('before the first event throws the reason and runs nothing', async () => {
    const reason = { why: 'never mind' }
    await expect(collect(endless.stream({ ...question, signal: AbortSignal.abort(reason) }))).rejects.toBe(
      reason,
    )
  })

  it('in the middle of an answer, and while a request waits for its turn, leaves the model usable', async () => {
    const reason = { why: 'enough' }
    const [first, second] = [new AbortController(), new AbortController()]
    const running = endless.stream({ ...question, signal: first.signal })[Symbol.asyncIterator]()
    await running.next()
    const waiting = endless
      .stream({ ...question, signal: second.signal })
      [Symbol.asyncIterator]()
      .next()
    second.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    first.abort(reason)
    const rest = (async () => {
      while (!(await running.next()).done);
    })()
    await expect(rest).rejects.toBe(reason)
    const { message } = finishOf(await collect(endless.stream({ ...question, maxOutputTokens: 4 })))
    expect(message.text).toBe('abab')
  })

  it('by leaving the loop stops the engine’s work', async () => {
    for await (const event of endless.stream(question)) {
      expect(event.type).toBe('text-delta')
      break
    }
    const { message } = finishOf(await collect(endless.stream({ ...question, maxOutputTokens: 4 })))
    expect(message.text).toBe('abab')
  })
})

describe('requests at the same time', () => {
  it('are answered one after the other, in order', async () => {
    const finished: string[] = []
    await Promise.all(
      ['first', 'second', 'third'].map(async (name) => {
        const messages = [{ role: 'user', text: name }] as const
        await collect(endless.stream({ messages, maxOutputTokens: 20 }))
        finished.push(name)
      }),
    )
    expect(finished).toEqual(['first', 'second', 'third'])
  })
})

describe('a disposed model', () => {
  it('ends the answer that is running and gives no other', async () => {
    const model = await llamaCpp({ modelPath: join(folder, 'endless.gguf'), contextSize: 512, threads: 1 })
    const running = model.stream(question)[Symbol.asyncIterator]()
    await running.next()
    await model[Symbol.asyncDispose]()
    const rest = (async () => {
      while (!(await running.next()).done);
    })()
    await expect(rest).rejects.toMatchObject({ code: 'chat/bad-request' })
    await expect(collect(model.stream(question))).rejects.toMatchObject({ code: 'chat/bad-request' })
  })
})

describe('a model that cannot be loaded', () => {
  it('says that the file is not there, or is no file', async () => {
    const path = join(folder, 'gone.gguf')
    await expect(llamaCpp({ modelPath: path })).rejects.toMatchObject({
      code: 'chat/model-missing',
      details: { modelPath: path },
    })
    await expect(llamaCpp({ modelPath: folder })).rejects.toMatchObject({ code: 'chat/model-missing' })
  })

  it('says that the file is no GGUF file, or a damaged one', async () => {
    const page = join(folder, 'page.gguf')
    await writeFile(page, '<!doctype html>')
    await expect(llamaCpp({ modelPath: page })).rejects.toMatchObject({ code: 'chat/bad-option' })
    const half = join(folder, 'half.gguf')
    await writeTinyGguf(half, { says: ['a'] })
    await truncate(half, 300_000)
    const damaged = llamaCpp({ modelPath: half })
    await expect(damaged).rejects.toMatchObject({ code: 'chat/bad-option', details: { modelPath: half } })
    await expect(damaged).rejects.toThrow('not within the file bounds')
  })

  it('refuses sizes that are none', async () => {
    const modelPath = join(folder, 'talker.gguf')
    await expect(llamaCpp({ modelPath, contextSize: 0.5 })).rejects.toMatchObject({ code: 'chat/bad-option' })
    await expect(llamaCpp({ modelPath, threads: 0 })).rejects.toMatchObject({ code: 'chat/bad-option' })
  })
})
