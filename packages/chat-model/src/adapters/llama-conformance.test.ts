import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type ConformanceModel, type ConformanceScenario, describeChatModel } from '../testing/conformance.js'
import { writeTinyGguf } from '../testing/write-tiny-gguf.js'
import type { ChatModel } from '../types.js'
import { llamaCpp } from './llama.js'

type Loaded = ChatModel & AsyncDisposable

let folder: string
/** One says "ab" for ever, one calls the first tool that it is offered. */
let endless: Loaded
let caller: Loaded

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiny-gguf-'))
  await writeTinyGguf(join(folder, 'endless.gguf'), { says: ['a', 'b'], atEnd: 'again' })
  await writeTinyGguf(join(folder, 'caller.gguf'), { says: ['<tool_call>', '{"name": "'] })
  const load = (name: string) => llamaCpp({ modelPath: join(folder, name), contextSize: 1024, threads: 1 })
  endless = await load('endless.gguf')
  caller = await load('caller.gguf')
}, 120_000)

afterAll(async () => {
  for (const model of [endless, caller]) await model?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function modelFor(scenario: ConformanceScenario): ConformanceModel {
  if (scenario === 'tool-call' || scenario === 'tool-result') return { model: caller }
  return scenario === 'abort-before-first-byte' ? busy(endless) : { model: endless }
}

/** A model that is silent for a while, because it answers somebody else first. */
function busy(model: ChatModel): ConformanceModel {
  const controller = new AbortController()
  const other = (async () => {
    const messages = [{ role: 'user', text: 'Go on and on.' }] as const
    for await (const _ of model.stream({ messages, signal: controller.signal }));
  })().catch(() => undefined)
  const close = async () => {
    controller.abort()
    await other
  }
  return { model, close }
}

// The generated model has no thinking, and the adapter asks for one call at a time.
describeChatModel('llamaCpp', modelFor, { without: ['reasoning', 'parallel-calls'] })
