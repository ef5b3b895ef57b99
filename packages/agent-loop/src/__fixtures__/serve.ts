import { ollama } from '@icm/chat-model/ollama'
import {
  type FakeOllama,
  type FakeOllamaAnswer,
  type FakeOllamaModel,
  startFakeOllama,
} from '@icm/chat-model/testing'
import type { AgentOptions } from '../types.js'
import { collect, messages, testTools } from './test-tools.js'

let fake: FakeOllama | undefined

/** For `afterEach`. */
export async function closeFake(): Promise<void> {
  await fake?.close()
  fake = undefined
}

/** An answer of the server with one call. */
export function lookUpCall(word: unknown) {
  return { toolCalls: [{ name: 'look_up', arguments: { word } }] }
}

/** A run against a server that gives these answers in order, and then the last one again and again. */
export async function serve(
  answers: readonly FakeOllamaAnswer[],
  options: Partial<AgentOptions> = {},
  model: Partial<FakeOllamaModel> = {},
) {
  const server = await startFakeOllama({
    models: [{ name: 'm', ...model }],
    answer: (_, index) => answers[Math.min(index, answers.length - 1)] ?? '',
  })
  fake = server
  const tools = testTools()
  const run = collect({ model: ollama({ model: 'm', host: server.host }), messages, tools, ...options })
  const bodies = () => server.chats.map((chat) => chat.body)
  return { server, tools, run, bodies }
}

/** What a body says up to the end of its messages. */
export function prefixOf(body: string): string {
  return body.slice(0, body.lastIndexOf(']', body.indexOf('"stream"')))
}
