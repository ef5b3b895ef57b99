import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChatModel } from '@icm/chat-model'
import { type Exchange, record, serializeCassette } from '@icm/chat-model/replay'
import {
  type FakeOllama,
  type FakeOpenAi,
  startFakeOllama,
  startFakeOpenAi,
  writeTinyGguf,
} from '@icm/chat-model/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// The agent of both READMEs as it stands there, on each of its four lines; only places on this machine are put in.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const readmes = await Promise.all(
  ['agent-loop', 'chat-model'].map((name) =>
    readFile(new URL(`../../${name}/README.md`, import.meta.url), 'utf8'),
  ),
)
const agents = readmes.map(
  (text) => /```js\n(import \{ maxToolCalls[^`]*`[^`]*`[^`]*)```/.exec(text)?.[1] ?? '',
)
const modelLines = readmes.map((text) =>
  [...text.matchAll(/\| `(const model = .*)` +\|/g)].map(([, line = '']) => line),
)
const engines = () =>
  Promise.all([
    import('@icm/chat-model/ollama'),
    import('@icm/chat-model/openai-compatible'),
    import('@icm/chat-model/llama'),
    import('@icm/chat-model/replay'),
  ])

let folder: string
let ollamaServer: FakeOllama
let openAiServer: FakeOpenAi

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
  await writeTinyGguf(join(folder, 'model.gguf'), { says: ['T', 'e', 'a', '.'] })
  const call = { toolCalls: [{ name: 'look_up', arguments: { word: 'port' } }] }
  ollamaServer = await startFakeOllama({
    models: ['qwen2.5-coder:1.5b'],
    answer: (_, index) => (index % 2 === 0 ? call : 'It uses 11434.'),
  })
  openAiServer = await startFakeOpenAi({
    kind: 'llama-server',
    models: ['qwen2.5-coder'],
    answer: (_, index) => (index % 2 === 0 ? call : 'It uses 11434.'),
  })
  vi.stubEnv('OLLAMA_HOST', ollamaServer.host)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await ollamaServer.close()
  await openAiServer.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the text with another model line, and gives what it prints. Imports are looked up, so a wrong one fails. */
async function run(agent: string, line: string, wrap: (model: ChatModel) => ChatModel = (model) => model) {
  const names: { [name: string]: unknown } = { readFile, wrap }
  const wanted = [...agent.matchAll(/^import \{ (.*) \} from '(.*)'$/gm)].map(([, list = '', from = '']) => ({
    list,
    from,
  }))
  for (const engine of await engines()) Object.assign(names, engine)
  for (const { list, from } of wanted) {
    const module = (await import(from)) as { [name: string]: unknown }
    for (const name of list.split(', ')) {
      expect(module, `${from} has ${name}`).toHaveProperty(name)
      names[name] = module[name]
    }
  }
  const printed: unknown[][] = []
  names.console = { log: (...words: unknown[]) => printed.push(words) }
  const body = agent
    .replace(/^import .*$/gm, '')
    .replace(/^const model = .*$/m, `${line.replace('const model =', 'const model = wrap(')})`)
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
  await new AsyncFunction(...Object.keys(names), body)(...Object.values(names))
  return printed
}

function placed(line: string): string {
  return line
    .replace('http://127.0.0.1:8080/v1', openAiServer.baseUrl)
    .replace('qwen2.5-coder-1.5b.gguf', join(folder, 'model.gguf'))
    .replace('run.json', join(folder, 'run.json'))
}

it('both READMEs show the same agent and the same four lines', () => {
  expect(agents[0]).toContain('runAgent')
  expect(agents[1]).toBe(agents[0])
  expect(modelLines[1]).toEqual(modelLines[0])
  expect(modelLines[0]).toHaveLength(4)
  expect(agents[0]).toContain(modelLines[0]?.[0])
  expect(
    agents[0]?.split('\n').filter((line) => line !== '' && !line.startsWith('import')).length,
  ).toBeLessThanOrEqual(10)
})

describe.each(modelLines[0] ?? [])('the agent with %s', (line) => {
  it('runs', async () => {
    if (line.includes('replay(')) {
      const exchanges: Exchange[] = []
      const first = modelLines[0]?.[0] ?? ''
      const recorded = await run(agents[0] ?? '', first, (model) =>
        record(model, (exchange) => void exchanges.push(exchange)),
      )
      const cassette = { version: 1, model: 'ollama/qwen2.5-coder:1.5b', exchanges } as const
      await writeFile(join(folder, 'run.json'), serializeCassette(cassette))
      const before = ollamaServer.requests.length
      expect(await run(agents[0] ?? '', placed(line))).toEqual(recorded)
      expect(ollamaServer.requests).toHaveLength(before)
      return
    }
    const expected = line.includes('llamaCpp') ? 'Tea.' : 'It uses 11434.'
    expect(await run(agents[0] ?? '', placed(line))).toEqual([['answered', expected]])
  })
})
