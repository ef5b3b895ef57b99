import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeTinyGguf } from '@icm/chat-model/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'
import { chooseModel } from './choose-model.js'
import { parseConfiguration } from './config.js'

// Starting the embedded engine takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Answer = { readonly status?: number; readonly body: string } | ((response: ServerResponse) => void)

/** A server that answers as Ollama does but for the given paths; its address. */
async function oddOllama(odd: {
  readonly [path: string]: Answer | ((body: string) => Answer)
}): Promise<string> {
  const answers: typeof odd = {
    '/api/version': { body: '{"version":"0.17.4"}' },
    '/api/tags': { body: '{"models":[{"name":"first:1b","size":1},{"name":"second:1b","size":1}]}' },
    '/api/show': { body: '{"capabilities":["completion","tools"]}' },
    ...odd,
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const found = answers[request.url ?? ''] ?? { status: 404, body: '' }
    const answer =
      typeof found === 'function' && request.url === '/api/show'
        ? (found as (body: string) => Answer)(body)
        : found
    if (typeof answer === 'function') (answer as (response: ServerResponse) => void)(response)
    else response.writeHead(answer.status ?? 200).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function workspace(env: NodeJS.ProcessEnv) {
  const home = temporaryFolder()
  await cliIn(home)('init', 'work', '--template', 'minimal')
  const folder = join(home, 'work')
  writeFileSync(join(folder, 'stages/01-collect/input.md'), 'Some material.\n')
  return { folder, icm: cliIn(folder, { env }) }
}

describe('an Ollama that answers oddly is named with what it did, and the next in the order is tried', () => {
  it.each<[string, Parameters<typeof oddOllama>[0], RegExp]>([
    ['a list that is null', { '/api/tags': { body: '{"models":null}' } }, /: it has no models; /],
    [
      'no list',
      { '/api/tags': { body: '{}' } },
      /does not answer \/api\/tags as Ollama does\. Its answer has no list of models; /,
    ],
    [
      'a redirect',
      { '/api/tags': { status: 301, body: '' } },
      /answered \/api\/tags with status 301\. It redirects/,
    ],
    [
      'a sign-in',
      { '/api/version': { status: 401, body: '' } },
      /answered \/api\/version with status 401\. It asks for a sign-in/,
    ],
    [
      'a failure',
      { '/api/tags': { status: 500, body: '{"error":"oops"}' } },
      /answered \/api\/tags with status 500\. The server failed/,
    ],
    [
      'a web page',
      { '/api/tags': { body: '<html>router</html>' } },
      /does not answer \/api\/tags as Ollama does/,
    ],
    [
      'a version without end',
      { '/api/version': (response: ServerResponse) => void response.write(' ') },
      /no whole answer within 1\.5 s; /,
    ],
    [
      'every model failing',
      { '/api/show': () => ({ status: 500, body: '{"error":"no such blob"}' }) },
      /model first:1b: .*no such blob.*model second:1b: .*no such blob/,
    ],
  ])('%s', async (_, odd, text) => {
    const host = await oddOllama(odd)
    const { icm } = await workspace({ OLLAMA_HOST: host })
    const result = await icm('run')
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(text)
    expect(result.stderr).toMatch(
      /Tried, in order: Ollama at 127\.0\.0\.1:\d+.*ICM_MODEL_PATH: not set; the model cache/s,
    )
    expect(result.stderr).toContain('(cli/no-model)')
    expect(result.stderr).not.toContain('    at ')
  })

  it('a first model that cannot be shown makes room for the second, and a person hears of it', async () => {
    const show = (body: string) =>
      body.includes('first:1b')
        ? { status: 500, body: '{"error":"no such blob"}' }
        : { body: '{"capabilities":["completion","tools"]}' }
    const host = await oddOllama({ '/api/show': show })
    const chosen = await chooseModel(
      await parseConfiguration(''),
      {},
      { env: { OLLAMA_HOST: host, HOME: '/nowhere' } },
    )
    expect(chosen.model.id).toBe('ollama/second:1b')
    expect(chosen.warnings).toEqual([expect.stringMatching(/model first:1b: .*no such blob/)])
  })

  it('one that was named makes no room for another', async () => {
    const host = await oddOllama({ '/api/show': () => ({ status: 500, body: '{"error":"no such blob"}' }) })
    const { icm } = await workspace({ OLLAMA_HOST: host })
    const result = await icm('run', '--model', 'first:1b')
    expect(result.stderr).toContain('no such blob')
    expect(result.stderr).not.toContain('second:1b')
  })
})

describe('an embedded engine that does not load', () => {
  it('lists each file with its fault: a folder, a dead link, no model, a damaged one', async () => {
    const { folder } = await workspace({})
    const cache = join(folder, '.home', '.cache', 'icm', 'models')
    mkdirSync(join(cache, 'folder.gguf'), { recursive: true })
    symlinkSync(join(folder, 'gone'), join(cache, 'dead.gguf'))
    writeFileSync(join(cache, 'text.gguf'), 'no model at all')
    writeFileSync(
      join(cache, 'damaged.gguf'),
      Buffer.concat([Buffer.from('GGUF\u0003\0\0\0'), Buffer.alloc(9_000)]),
    )
    const inFolder = await cliIn(folder, { env: { ICM_MODEL_PATH: cache } })('run')
    expect(inFolder.code).toBe(1)
    expect(inFolder.stderr).toMatch(/model file of ICM_MODEL_PATH: \S+ is not a file; /)
    expect(inFolder.stderr).toContain('→ Give ICM_MODEL_PATH the path of a GGUF file')
    expect(inFolder.stderr).toMatch(
      /damaged\.gguf: The model was not loaded.*text\.gguf: The model was not loaded.*no GGUF file/s,
    )
    expect(inFolder.stderr).not.toMatch(/dead\.gguf|folder\.gguf/)
    expect(inFolder.stderr).not.toContain('    at ')
    symlinkSync(join(folder, 'gone'), join(folder, 'link.gguf'))
    const link = await cliIn(folder)('run', '--model', join(folder, 'link.gguf'))
    expect(link.stderr).toContain('link.gguf is not there')
    expect(link.stderr).not.toContain('ollama pull')
  })

  it('makes room for a file of the cache that does, with a warning', async () => {
    const { folder } = await workspace({})
    const cache = join(folder, '.home', '.cache', 'icm', 'models')
    mkdirSync(cache, { recursive: true })
    await writeTinyGguf(join(cache, 'good.gguf'), { says: ['T', 'e', 'a'] })
    writeFileSync(join(folder, 'broken.gguf'), 'GGUF and nothing')
    const env = { HOME: join(folder, '.home'), ICM_MODEL_PATH: join(folder, 'gone.gguf') }
    const model = `model_path = ${JSON.stringify(join(folder, 'broken.gguf'))}`
    const configuration = await parseConfiguration(`[model]\ncontext_window = 512\n${model}\n`)
    const chosen = await chooseModel(configuration, { provider: 'llama' }, { env })
    expect(chosen.model.id).toBe('llama/good')
    expect(chosen.warnings).toEqual([
      expect.stringMatching(/ICM_MODEL_PATH: \S+gone\.gguf is not there/),
      expect.stringMatching(/broken\.gguf: The model was not loaded/),
    ])
    await chosen.close()
  })
})
