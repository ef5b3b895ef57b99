import { expect, it } from 'vitest'
import { generate } from './generate.js'
import { scripted } from './testing/scripted.js'
import type { ChatEvent, ChatModel } from './types.js'

const messages = [{ role: 'user' as const, text: 'hi' }]

it('gives the message, the reason and the usage of the end', async () => {
  const model = scripted(['hello'], { usage: { inputTokens: 3 }, reason: 'length' })
  expect(await generate(model, { messages })).toEqual({
    message: { role: 'assistant', text: 'hello' },
    reason: 'length',
    usage: { inputTokens: 3 },
  })
})

it('throws on a stream without an end', async () => {
  const model: ChatModel = {
    id: 'broken',
    async *stream(): AsyncGenerator<ChatEvent> {
      yield { type: 'text-delta', text: 'half' }
    },
  }
  await expect(generate(model, { messages })).rejects.toMatchObject({ code: 'chat/stream-corrupt' })
})

it('passes the signal on', async () => {
  const reason = new Error('enough')
  const call = generate(scripted(['hello']), { messages, signal: AbortSignal.abort(reason) })
  await expect(call).rejects.toBe(reason)
})
