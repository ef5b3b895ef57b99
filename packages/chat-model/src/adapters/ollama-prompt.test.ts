import { expect, it } from 'vitest'
import { startFakeOllama } from '../testing/fake-ollama-server.js'
import { renderOllamaPrompt } from './ollama-prompt.js'

const messages = [{ role: 'user', text: 'x' }] as const

it('returns the prompt that the server renders, and sends tools and messages in its shape', async () => {
  const server = await startFakeOllama({
    models: ['m:1b'],
    answer: () => ({ lines: [{ message: { content: '' }, _debug_info: { rendered_template: '<user>x' } }] }),
  })
  const tools = [{ name: 'look_up', description: 'Looks up.', inputSchema: { type: 'object' } }]
  expect(await renderOllamaPrompt({ host: server.host, model: 'm:1b', messages, tools })).toBe('<user>x')
  expect(server.chats[0]?.body).toMatchObject({
    _debug_render_only: true,
    tools: [{ function: { name: 'look_up' } }],
  })
  await server.close()
})

it('is undefined from a server that answers instead', async () => {
  const server = await startFakeOllama({ models: ['m:1b'], answer: () => 'hello' })
  expect(await renderOllamaPrompt({ host: server.host, model: 'm:1b', messages })).toBeUndefined()
  await expect(renderOllamaPrompt({ host: server.host, model: 'none', messages })).rejects.toMatchObject({
    code: 'chat/model-missing',
  })
  await server.close()
})
