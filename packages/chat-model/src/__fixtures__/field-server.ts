import { expect, vi } from 'vitest'
import { type OllamaOptions, ollama } from '../adapters/ollama.js'
import { generate } from '../generate.js'
import {
  type FakeOllama,
  type FakeOllamaAnswer,
  type FakeOllamaOptions,
  startFakeOllama,
} from '../testing/index.js'
import type { ChatModel, ChatRequest, ChatResponse, Message, ToolSpec } from '../types.js'

let fake: FakeOllama | undefined

/** For `afterEach`. */
export async function closeFake(): Promise<void> {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await fake?.close()
  fake = undefined
}

/** Starts the server of a test, with a model `m`, one without tools, `plain`, and one that thinks, `thinker`. */
export async function start(
  answer: FakeOllamaAnswer | FakeOllamaOptions['answer'],
  rest: Partial<FakeOllamaOptions> = {},
): Promise<FakeOllama> {
  const models = [
    'm',
    { name: 'plain', capabilities: ['completion'] },
    { name: 'thinker', capabilities: ['tools', 'thinking'] },
  ]
  fake = await startFakeOllama({
    models,
    answer: typeof answer === 'function' ? answer : () => answer,
    ...rest,
  })
  return fake
}

/** A model of the server that was started last. */
export function modelOf(options: Partial<OllamaOptions> = {}): ChatModel {
  return ollama({ model: 'm', host: fake?.host ?? '', ...options })
}

/** One answer of it. */
export function ask(
  options: Partial<OllamaOptions> = {},
  request: Partial<ChatRequest> = {},
): Promise<ChatResponse> {
  return generate(modelOf(options), { messages: hi, ...request })
}

export const hi: Message[] = [{ role: 'user', text: 'hi' }]

export function user(text: string): Message[] {
  return [{ role: 'user', text }]
}

/** What a call that has to fail throws. */
export function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('the call should fail'),
    (error: unknown) => error,
  )
}

/** A tool with these parameters, all texts and all required. */
export function tool(name: string, ...parameters: string[]): ToolSpec {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]))
  return { name, description: name, inputSchema: { type: 'object', properties, required: parameters } }
}
