import { afterEach, expect, it } from 'vitest'
import { startFakeHttp } from '../testing/fake-http.js'
import { type FakeOpenAiOptions, startFakeOpenAi } from '../testing/index.js'
import { listOpenaiModels, readOpenaiWindow } from './openai-compatible.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function fake(options: Omit<FakeOpenAiOptions, 'answer'>) {
  const server = await startFakeOpenAi({ ...options, answer: () => 'x' })
  cleanups.push(server.close)
  return server
}

it('lists the models, and knows the server that takes any name', async () => {
  const vllm = await fake({ kind: 'vllm', models: ['a', 'b'] })
  expect(await listOpenaiModels({ baseUrl: vllm.baseUrl })).toEqual([
    { name: 'a', takesAnyName: false },
    { name: 'b', takesAnyName: false },
  ])
  const llama = await fake({ kind: 'llama-server', models: ['only'] })
  expect(await listOpenaiModels({ baseUrl: llama.baseUrl })).toEqual([{ name: 'only', takesAnyName: true }])
})

it.each(['vllm', 'llama-server', 'ollama'] as const)('reads the window of %s', async (kind) => {
  const server = await fake({ kind, models: ['m'], contextWindow: 2_048 })
  expect(await readOpenaiWindow({ baseUrl: server.baseUrl, model: 'm' })).toBe(2_048)
})

it('a refused key says so, and is not shown', async () => {
  const server = await fake({ kind: 'vllm', models: ['m'], apiKey: 'right' })
  const error = await listOpenaiModels({ baseUrl: server.baseUrl, apiKey: 'wrong-key' }).catch(
    (caught) => caught,
  )
  expect(error).toMatchObject({ code: 'chat/bad-request', instead: expect.stringContaining('apiKey') })
  expect(JSON.stringify(error)).not.toContain('wrong-key')
  expect(await listOpenaiModels({ baseUrl: server.baseUrl, apiKey: 'right' })).toHaveLength(1)
})

it.each([
  [404, '404 page not found'],
  [200, '<html>router</html>'],
  [200, '{"models":[]}'],
])('another program that answers %i %j is named as one', async (status, body) => {
  const server = await startFakeHttp(async ({ response }) => {
    response.writeHead(status).end(body)
  })
  cleanups.push(server.close)
  await expect(listOpenaiModels({ baseUrl: `${server.host}/v1` })).rejects.toMatchObject({
    code: 'chat/server-error',
    what: expect.stringContaining('/v1/models'),
  })
})
