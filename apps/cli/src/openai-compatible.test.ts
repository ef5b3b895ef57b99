import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeOpenAi, type FakeOpenAiOptions, startFakeOpenAi } from '@icm/chat-model/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'
import { chooseModel } from './choose-model.js'
import { parseConfiguration } from './config.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function fake(options: Partial<FakeOpenAiOptions> = {}): Promise<FakeOpenAi> {
  const server = await startFakeOpenAi({
    kind: 'vllm',
    models: ['first:1b', 'second:1b'],
    answer: () => 'A text from the server.',
    ...options,
  })
  cleanups.push(server.close)
  return server
}

/** A workspace whose configuration names the server. */
async function workspace(lines: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const home = temporaryFolder()
  await cliIn(home)('init', 'work', '--template', 'minimal')
  const folder = join(home, 'work')
  writeFileSync(join(folder, 'stages/01-collect/input.md'), 'Some material.\n')
  writeFileSync(join(folder, 'icm.config.toml'), ['[model]', ...lines, ''].join('\n'))
  return {
    folder,
    icm: cliIn(folder, { env }),
    asking: (ask: () => Promise<boolean>) => cliIn(folder, { env, ask }),
  }
}

function configured({ baseUrl }: FakeOpenAi, ...more: readonly string[]): readonly string[] {
  return ['provider = "openai-compatible"', `base_url = ${JSON.stringify(baseUrl)}`, ...more]
}

describe('icm run on an OpenAI-compatible server', () => {
  it('runs a stage with the model that the file names, and says where', async () => {
    const server = await fake()
    const { icm } = await workspace(configured(server, 'name = "second:1b"'))
    const result = await icm('run')
    expect(result, result.stderr).toMatchObject({ code: 0 })
    expect(result.stdout).toContain(`second:1b at ${server.baseUrl}, window 8,192 tokens`)
    expect(server.chats.map(({ body }) => body?.model)).toEqual(['second:1b'])
    expect(server.chats[0]?.headers.authorization).toBeUndefined()
    expect(server.chats[0]?.body).not.toHaveProperty('reasoning_effort')
  })

  it('takes flags without any file: --provider, --host and --model', async () => {
    const server = await fake({ kind: 'llama-server', models: ['only.gguf'], contextWindow: 4_096 })
    const { icm } = await workspace([])
    const result = await icm('run', '--provider', 'openai-compatible', '--host', server.baseUrl)
    expect(result.stdout).toMatch(/only\.gguf at .*, window 4,096 tokens .*the first of the server/)
    expect(result.stdout).toContain(`--provider openai-compatible --host ${server.baseUrl}`)
    expect(result.code).toBe(0)
    const other = await icm(
      'redo',
      '1',
      '--provider',
      'openai-compatible',
      '--host',
      server.baseUrl,
      '--model',
      'mine',
    )
    expect(other.stdout).toContain('answers with it to any name')
  })

  it('a stage that does not fit the window of the server is refused before it starts', async () => {
    const server = await fake({ kind: 'llama-server', models: ['m'], contextWindow: 512 })
    const { folder, icm } = await workspace(configured(server))
    writeFileSync(join(folder, 'stages/01-collect/input.md'), 'words and words '.repeat(400))
    expect((await icm('run')).code).toBe(1)
    expect(server.chats).toEqual([])
  })

  it('thinking is left to the server unless the file decides about it', async () => {
    const server = await fake()
    const { icm } = await workspace(configured(server, 'thinking = false'))
    await icm('run')
    expect(server.chats[0]?.body).toMatchObject({ reasoning_effort: 'none' })
  })
})

describe('the key of the server', () => {
  it('is read from the variable that the file names, after a person agreed once, and printed nowhere', async () => {
    const server = await fake({ apiKey: 'secret-1' })
    const { folder, icm, asking } = await workspace(configured(server, 'api_key_env = "MY_KEY"'), {
      MY_KEY: 'secret-1',
    })
    const refused = await icm('run')
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--trust-workspace') })
    expect((await asking(async () => false)('run')).code).toBe(3)
    expect(server.requests).toEqual([])
    const questions: string[] = []
    const agreed = await cliIn(folder, {
      env: { MY_KEY: 'secret-1' },
      ask: async (question) => questions.push(question) > 0,
    })('run')
    expect(agreed, agreed.stderr).toMatchObject({ code: 0 })
    expect(questions).toEqual([expect.stringContaining(`MY_KEY to ${new URL(server.baseUrl).origin}`)])
    expect(server.chats[0]?.headers.authorization).toBe('Bearer secret-1')
    const again = await icm('run')
    const doctor = await icm('doctor')
    expect([again.code, doctor.code]).toEqual([0, 0])
    for (const { stdout, stderr } of [refused, agreed, again, doctor])
      expect(stdout + stderr).not.toContain('secret-1')
  })

  it('another address, or another variable, asks again', async () => {
    const server = await fake()
    const { folder, icm } = await workspace(configured(server, 'api_key_env = "MY_KEY"'), {
      MY_KEY: 'k',
      OTHER: 'o',
    })
    expect((await icm('run', '--trust-workspace')).code).toBe(0)
    expect((await icm('redo', '1')).code).toBe(0)
    expect((await icm('redo', '1', '--host', 'http://elsewhere.example/v1')).code).toBe(3)
    writeFileSync(
      join(folder, 'icm.config.toml'),
      ['[model]', ...configured(server, 'api_key_env = "OTHER"')].join('\n'),
    )
    expect((await icm('redo', '1')).code).toBe(3)
  })

  it('that is not set, or is wrong, is an error with what to do', async () => {
    const server = await fake({ apiKey: 'right' })
    const { icm } = await workspace(configured(server, 'api_key_env = "MY_KEY"'))
    const missing = await icm('run')
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('export MY_KEY=<key>') })
    const wrong = await workspace(configured(server, 'api_key_env = "MY_KEY"'), { MY_KEY: 'wrong' })
    const result = await wrong.icm('run', '--trust-workspace')
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('does not take')
  })
})

describe('what stands in the way is named', () => {
  it('no address', async () => {
    const { icm } = await workspace(['provider = "openai-compatible"'])
    expect(await icm('run')).toMatchObject({ code: 2, stderr: expect.stringContaining('base_url = ') })
    const noAddress = await icm('run', '--provider', 'openai-compatible', '--host', 'localhost:9999')
    expect(noAddress).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --host an address') })
    expect(await icm('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining('fault   server') })
  })

  it('no server, another program, a model that is not there', async () => {
    const server = await fake()
    const { icm, folder } = await workspace(configured(server, 'name = "third:1b"'))
    expect((await icm('run')).stderr).toMatch(/does not have third:1b \(it has first:1b, second:1b\)/)
    expect((await icm('doctor')).stdout).toContain('third:1b ([model] name) is not on the server')
    const odd = await icm('run', '--host', server.baseUrl.replace('/v1', '/other'))
    expect(odd.stderr).toContain('The base URL may lack its /v1')
    await server.close()
    cleanups.length = 0
    const gone = await icm('run')
    expect(gone.stderr).toMatch(/no answer.*→ Start that server, or correct \[model\] base_url/s)
    expect((await icm('doctor')).stdout).toContain('start that server, or correct [model] base_url')
    expect(readdirSync(join(folder, 'stages/01-collect/output'))).not.toContain('notes.md')
  })
})

it('doctor names the server, its models, the one that is used and its window', async () => {
  const server = await fake({ contextWindow: 2_048 })
  const { icm } = await workspace(configured(server))
  const { stdout, code } = await icm('doctor')
  expect(code).toBe(0)
  expect(stdout).toContain(`ok      server: ${server.baseUrl} answers, models: first:1b, second:1b`)
  expect(stdout).toContain('ok      model: first:1b; window 2048, of at most 2048 tokens')
  expect(stdout).not.toMatch(/Ollama|embedded engine/)
})

it.each([
  [undefined, 1],
  [2, 2],
])('[model] parallel = %s lets %i calls through at a time', async (parallel, most) => {
  let now = 0
  let seen = 0
  const server = await fake({
    answer: async () => {
      seen = Math.max(seen, ++now)
      await new Promise((resolve) => setTimeout(resolve, 50))
      now -= 1
      return 'x'
    },
  })
  const lines = configured(server, ...(parallel === undefined ? [] : [`parallel = ${parallel}`]))
  const { model } = await chooseModel(
    await parseConfiguration(['[model]', ...lines].join('\n')),
    {},
    { env: {} },
  )
  const call = async () => {
    for await (const event of model.stream({ messages: [{ role: 'user', text: 'x' }] }))
      if (event.type === 'finish') return
  }
  await Promise.all(Array.from({ length: 5 }, call))
  expect(seen).toBe(most)
})
