import { afterEach, describe, expect, it } from 'vitest'
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from './fake-ollama-server.js'

let fake: FakeOllama | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
})

async function start(options: Partial<FakeOllamaOptions> = {}): Promise<FakeOllama> {
  fake = await startFakeOllama({
    models: ['m', { name: 'plain', capabilities: [] }],
    answer: () => 'ok',
    ...options,
  })
  return fake
}

async function post(path: string, body: object): Promise<{ status: number; lines: unknown[] }> {
  const response = await fetch(`${fake?.host}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const text = await response.text()
  return {
    status: response.status,
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}

const hello = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

describe('startFakeOllama', () => {
  it('speaks NDJSON with counts at the end', async () => {
    await start({
      answer: () => ({ reasoning: 'hm', text: 'a b', toolCalls: [{ name: 'x', arguments: { y: 1 } }] }),
    })
    const { status, lines } = await post('/api/chat', hello)
    expect(status).toBe(200)
    expect(lines).toMatchObject([
      { message: { thinking: 'hm' }, done: false },
      { message: { content: 'a' } },
      { message: { content: ' b' } },
      { message: { tool_calls: [{ function: { name: 'x', arguments: { y: 1 } } }] } },
      { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 },
    ])
  })

  it('asks the script with the body and a count, and records everything', async () => {
    const server = await start({ answer: ({ messages }, index) => `${index}: ${messages[0]?.content}` })
    await post('/api/chat', hello)
    const second = await post('/api/chat', hello)
    await post('/api/show', { model: 'm' })
    expect(second.lines.slice(0, 2)).toMatchObject([
      { message: { content: '1:' } },
      { message: { content: ' hi' } },
    ])
    expect(server.requests.map((request) => request.path)).toEqual(['/api/chat', '/api/chat', '/api/show'])
    expect(server.chats[0]?.bodyText).toBe(JSON.stringify(hello))
    expect(await server.chats[0]?.ended).toBe('answered')
  })

  it('lists, shows and has a version', async () => {
    const { host } = await start({ version: '9.9' })
    const get = async (path: string) => JSON.parse(await (await fetch(host + path)).text())
    expect(await get('/api/version')).toEqual({ version: '9.9' })
    expect((await get('/api/tags')).models.map((model: { name: string }) => model.name)).toEqual([
      'm',
      'plain',
    ])
    expect((await post('/api/show', { model: 'plain' })).lines[0]).toMatchObject({ capabilities: [] })
    expect((await fetch(`${host}/other`)).status).toBe(404)
  })

  it.each<[string, object, number, string]>([
    ['an unknown model', { model: 'nope' }, 404, "model 'nope' not found"],
    ['tools', { model: 'plain', tools: [{ function: { name: 'x' } }] }, 400, 'does not support tools'],
    ['thinking', { think: true }, 400, 'does not support thinking'],
    ['a keep_alive without a unit', { keep_alive: '300' }, 400, 'missing unit'],
    [
      'arguments as text',
      {
        messages: [
          { role: 'assistant', content: '', tool_calls: [{ function: { name: 'x', arguments: '{}' } }] },
        ],
      },
      400,
      'looks like object',
    ],
    [
      'a prompt that does not fit',
      { truncate: false, options: { num_ctx: 5 } },
      400,
      'the input length exceeds the context length',
    ],
  ])('refuses %s as a real server does', async (_, body, status, error) => {
    let asked = 0
    await start({ answer: () => `${++asked}` })
    const answer = await post('/api/chat', { ...hello, ...body })
    expect(answer).toMatchObject({ status, lines: [{ error: expect.stringContaining(error) }] })
    expect(asked).toBe(0)
  })

  it('answers what is too long when it plays an older server, or when truncation was allowed', async () => {
    await start({ refusesOverflow: false })
    expect((await post('/api/chat', { ...hello, truncate: false, options: { num_ctx: 5 } })).status).toBe(200)
    await fake?.close()
    await start()
    expect((await post('/api/chat', { ...hello, options: { num_ctx: 5 } })).status).toBe(200)
  })

  it('cuts, waits and writes raw bytes', async () => {
    const server = await start({
      answer: () => ({
        lines: [{ raw: '{"a":' }, { waitMs: 1 }, { raw: Buffer.from('1}\n') }, { cut: true }],
      }),
    })
    const response = await fetch(`${server.host}/api/chat`, { method: 'POST', body: JSON.stringify(hello) })
    await expect(response.text()).rejects.toThrow()
    expect(await server.chats[0]?.ended).toBe('cut')
  })

  it('refuses by status, or in the middle', async () => {
    await start({
      answer: (_, index) => (index === 0 ? { error: 'no', status: 503 } : { text: 'so', error: 'no' }),
    })
    expect(await post('/api/chat', hello)).toEqual({ status: 503, lines: [{ error: 'no' }] })
    expect(await post('/api/chat', hello)).toMatchObject({
      status: 200,
      lines: [{ message: { content: 'so' } }, { error: 'no' }],
    })
  })

  it('shows what a script threw', async () => {
    await start({
      answer: () => {
        throw new Error('wrong question')
      },
    })
    expect(await post('/api/chat', hello)).toEqual({
      status: 500,
      lines: [{ error: 'the script threw: Error: wrong question' }],
    })
  })

  it('closes while it is still answering', async () => {
    const server = await start({ answer: () => ({ text: 'late', delayMs: 60_000 }) })
    const call = fetch(`${server.host}/api/chat`, { method: 'POST', body: JSON.stringify(hello) })
    const failed = expect(call).rejects.toThrow()
    while (server.chats.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await server.close()
    fake = undefined
    await failed
  })
})
