import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeOllama, startFakeOllama } from '@icm/chat-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'
import type { Ask } from './run-cli.js'

let server: FakeOllama
beforeAll(async () => {
  server = await startFakeOllama({
    models: ['some-model:1b'],
    answer: ({ tools = [], messages }) =>
      tools.length > 0 && messages.every((message) => message.role !== 'tool')
        ? { toolCalls: [{ name: tools[0]?.function.name ?? '', arguments: { line: 'hello' } }] }
        : '- one fact',
  })
})
afterAll(() => server.close())

/** A workspace whose stage has a foreign tool that appends to `sent.txt`; with `crash` its server dies right after that. */
async function withSender({ crash = false } = {}) {
  const home = temporaryFolder()
  await cliIn(home)('init', 'work', '--template', 'minimal')
  const folder = join(home, 'work')
  writeFileSync(join(folder, 'stages/01-collect/input.md'), 'Some material.\n')
  const contract = join(folder, 'stages/01-collect/CONTEXT.md')
  writeFileSync(contract, readFileSync(contract, 'utf8').replace('none', '- post: send_line'))
  writeFileSync(
    join(folder, 'post.mjs'),
    `import { appendFileSync } from 'node:fs'
     import { createInterface } from 'node:readline'
     const tool = { name: 'send_line', description: 'Sends a line.',
       inputSchema: { type: 'object', properties: { line: { type: 'string' } }, required: ['line'] } }
     createInterface({ input: process.stdin }).on('line', (text) => {
       const { id, method, params } = JSON.parse(text)
       if (id === undefined) return
       if (method === 'tools/call') {
         appendFileSync('sent.txt', params.arguments.line + '\\n')
         if (${crash}) process.exit(1)
       }
       const result = method === 'initialize'
         ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } }
         : method === 'tools/list' ? { tools: [tool] } : { content: [{ type: 'text', text: 'sent' }] }
       process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
     })`,
  )
  writeFileSync(
    join(folder, 'icm.config.toml'),
    `[servers.post]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["post.mjs"]\n`,
  )
  const env = { OLLAMA_HOST: server.host }
  return {
    folder,
    icm: cliIn(folder, { env }),
    asking: (ask: Ask) => cliIn(folder, { env, ask }),
    sent: () => {
      const path = join(folder, 'sent.txt')
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    },
    waiting: async () => JSON.parse((await cliIn(folder)('status', '--json')).stdout).waiting,
    output: () => join(folder, 'stages/01-collect/output'),
  }
}

describe('a call that needs consent', () => {
  it('waits without a terminal, with exit code 3 and its arguments; approved, it runs once', async () => {
    const { icm, sent, waiting, output } = await withSender()
    const stopped = await icm('run', '--trust-workspace')
    expect(stopped.code).toBe(3)
    expect(stopped.stderr).toMatch(
      /[0-9a-f]{16} {2}consent in 01-collect\n +Tool: post_send_line\n[\s\S]* line = "hello"/,
    )
    expect(sent()).toBe('')
    const [{ id }] = await waiting()
    const status = await icm('status')
    expect(status.stdout).toContain(`  ${id}  consent in 01-collect\n    Tool: post_send_line\n`)
    expect(status.stdout).toContain('icm approve or icm reject <id>')
    const approved = await icm('approve', id.slice(0, 4))
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('may run once') })
    expect((await icm('run')).code).toBe(0)
    expect(sent()).toBe('hello\n')
    expect(await waiting()).toEqual([])
    // The stage written anew is the same run: what has happened is not done again.
    for (const file of readdirSync(output())) rmSync(join(output(), file))
    expect((await icm('run')).code).toBe(0)
    expect(sent()).toBe('hello\n')
  })

  it('rejected, it does not run, and the model reads why', async () => {
    const { icm, sent } = await withSender()
    expect((await icm('run', '--trust-workspace')).code).toBe(3)
    expect((await icm('reject', '--note', 'not this line')).code).toBe(0)
    expect((await icm('run')).code).toBe(0)
    expect(sent()).toBe('')
    expect(JSON.stringify(server.chats.at(-1)?.body?.messages)).toContain('not this line')
  })

  it.each([
    ['yes', true, 'hello\n'],
    ['no', false, ''],
  ])('is asked at once at a terminal; %s', async (_word, answer, expected) => {
    const { asking, sent, waiting } = await withSender()
    const questions: string[] = []
    const result = await asking(async (question) => {
      questions.push(question)
      return question.includes('Start them') || answer
    })('run')
    expect(result, result.stderr).toMatchObject({ code: 0 })
    expect(questions.at(-1)).toMatch(
      /Tool: post_send_line\n[\s\S]* line = "hello"\n[\s\S]*Run this call once\?/,
    )
    expect(sent()).toBe(expected)
    expect(await waiting()).toEqual([])
  })
})

it('an effect whose end nobody knows is in doubt: shown, not repeated, repeated when a person says so', async () => {
  const { icm, sent, waiting, asking } = await withSender({ crash: true })
  await asking(async () => true)('run', '--trust-workspace')
  expect(sent()).toBe('hello\n')
  const [{ kind, id }] = await waiting()
  expect(kind).toBe('in_doubt')
  expect((await icm('status')).stdout).toContain(`${id}  in doubt in 01-collect: post_send_line`)
  expect((await icm('redo', '01-collect', '--trust-workspace')).code).toBe(0)
  expect(sent()).toBe('hello\n')
  expect((await icm('approve', id)).stdout).toContain('may be tried again')
  await asking(async () => true)('redo', '01-collect', '--trust-workspace')
  expect(sent()).toBe('hello\nhello\n')
})

it('says what waits when an id names nothing or several calls, and that nothing does', async () => {
  const { icm } = await withSender()
  expect(await icm('approve')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing waits for you'),
  })
  await icm('run', '--trust-workspace')
  const wrong = await icm('reject', 'zz')
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Tool: post_send_line') })
})
