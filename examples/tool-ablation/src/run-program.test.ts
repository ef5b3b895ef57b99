import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeOllama, type FakeOllamaAnswer, startFakeOllama } from '@icm/chat-model/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readOptions } from './read-options.js'
import { runProgram } from './run-program.js'
import { tasks } from './tasks/index.js'

let server: FakeOllama
let out: string
let answer: (user: string, toolNames: readonly string[]) => FakeOllamaAnswer
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'ablation-'))
  answer = rightCall
  server = await startFakeOllama({
    models: ['small', 'large'],
    answer: (body) =>
      answer(
        body.messages.find(({ role }) => role === 'user')?.content ?? '',
        (body.tools ?? []).map((tool) => tool.function.name),
      ),
  })
})
afterEach(async () => {
  await server.close()
  await rm(out, { recursive: true })
})

const taskOf = (user: string) => tasks.find((task) => task.user === user)

function rightCall(user: string): FakeOllamaAnswer {
  const task = taskOf(user)
  const given = task?.given?.[0] ?? {}
  return {
    toolCalls: [
      {
        name: task?.expected ?? '',
        arguments: task?.expected === 'run_program' ? { files: ['x'], ...given } : given,
      },
    ],
  }
}

async function run(words: string, signal = new AbortController().signal) {
  const options = readOptions([...words.split(' '), '--host', server.host, '--out', out])
  if (options === undefined) throw signal.reason
  const written: string[] = []
  const printed: string[] = []
  const output = {
    write: (text: string) => written.push(text),
    print: (text: string) => printed.push(text),
    isTerminal: false,
  }
  await runProgram(options, output, signal)
  return { progress: written.join(''), report: printed.join('') }
}

const rowsOnDisk = async () =>
  (await readFile(join(out, 'results.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

it('asks 40 requests for each number of tools, grouped by tool set, and counts the schema by the server', async () => {
  const { report, progress } = await run('--model small --tools 5,10 --repeats 1')
  expect(report).toMatch(/ 5 +40\/40 100 % +91 %–100 % +\d+ .* 40\/0\/0$/m)
  expect(report).toMatch(/ 10 +40\/40 /)
  const offered = server.chats.map(({ body }) => (body?.tools ?? []).map((tool) => tool.function.name).join())
  // Once without tools before each set; then the tools stay byte for byte the same.
  expect(offered.filter((names) => names === '')).toHaveLength(2)
  expect(offered.filter((names, index) => names !== offered[index - 1])).toHaveLength(4)
  const windows = new Set(server.chats.map(({ body }) => body?.options?.num_ctx))
  expect([...windows]).toEqual([16_384])
  const rows = await rowsOnDisk()
  expect(rows).toHaveLength(80)
  expect(rows[40].schemaTokens).toBeGreaterThan(rows[0].schemaTokens)
  expect(progress).toMatch(/^\[1\/80\] small, 5 tools, read-1: right; about \d+ s left$/m)
  expect(progress).toMatch(/^\[80\/80\] .* about 0 s left$/m)
  expect(await readFile(join(out, 'table.csv'), 'utf8')).toMatch(/\nsmall,10,40,40,1\.0000,/)
  expect(await readFile(join(out, 'plot.svg'), 'utf8')).toContain('● small')
})

it('tells wrong tools, wrong arguments, calls in the text, unknown names and none apart', async () => {
  answer = (user) => {
    const task = taskOf(user)
    if (task?.id === 'read-1')
      return `\`\`\`json\n${JSON.stringify({ name: 'read_document', arguments: { file: 'notes/plan.md' } })}\n\`\`\``
    if (task?.id === 'read-2')
      return { toolCalls: [{ name: 'read_document', arguments: { path: 'other.csv' } }] }
    if (task?.id === 'read-3') return { toolCalls: [{ name: 'read_document', arguments: {} }] }
    if (task?.id === 'read-4') return { toolCalls: [{ name: 'find_documents', arguments: {} }] }
    if (task?.id === 'read-5') return { toolCalls: [{ name: 'open_window', arguments: {} }] }
    return task?.id === 'read-6' ? 'I cannot do that.' : rightCall(user)
  }
  const { report } = await run('--model small --tools 5 --repeats 1 --confusions')
  const rows = new Map((await rowsOnDisk()).map((row) => [row.task, row]))
  expect(rows.get('read-1')).toMatchObject({
    chosen: 'read_document',
    how: 'recovered',
    wrongArguments: false,
  })
  expect(rows.get('read-2')).toMatchObject({ chosen: 'read_document', how: 'native', wrongArguments: true })
  expect(rows.get('read-3')).toMatchObject({ chosen: 'read_document', wrongArguments: true })
  expect(rows.get('read-4')).toMatchObject({ chosen: 'find_documents', how: 'native' })
  expect(rows.get('read-5')).toMatchObject({ unknown: 'open_window' })
  expect(rows.get('read-5')).not.toHaveProperty('chosen')
  expect(rows.get('read-6')).toMatchObject({ how: 'none' })
  expect(report).toMatch(/ 5 +37\/40 .* 2 +38\/1\/1$/m)
  expect(report).toContain('## read_document → find_documents (1 ×; read-4)')
  expect(await readFile(join(out, 'confusions.md'), 'utf8')).toContain('names that no tool has: open_window')
  // One answer each: what the model would do after an error is another question.
  expect(server.chats).toHaveLength(41)
})

it('an interrupted run reports what it has and goes on where it stopped; a finished one asks nothing', async () => {
  const stop = new AbortController()
  let asked = 0
  answer = (user) => {
    if (++asked === 20) stop.abort()
    return rightCall(user)
  }
  const ended = await run('--model small --tools 5 --repeats 1', stop.signal).catch((error: unknown) => error)
  expect(ended).toBe(stop.signal.reason)
  expect(await rowsOnDisk()).toHaveLength(18)
  expect(await readFile(join(out, 'table.csv'), 'utf8')).toContain('small,5,18,18,')
  answer = rightCall
  expect((await run('--model small --tools 5 --repeats 1')).report).toContain('40/40')
  expect(await rowsOnDisk()).toHaveLength(40)
  const before = server.chats.length
  expect((await run('--model small --tools 5 --repeats 1')).report).toContain('40/40')
  expect(server.chats).toHaveLength(before)
})

it('several models go into one report, each with its own rows', async () => {
  answer = (user, tools) => (tools.length === 5 ? rightCall(user) : 'No.')
  const { report } = await run('--model small --model large --tools 5 --repeats 2')
  expect(report).toMatch(/^small\n[\s\S]* 80\/80 [\s\S]*^large\n[\s\S]* 80\/80 /m)
})

it('what the server refuses ends the run with its error, and what was asked is kept', async () => {
  answer = (user) =>
    taskOf(user)?.id === 'read-4' ? { status: 400, error: 'does not work' } : rightCall(user)
  await expect(run('--model small --tools 5 --repeats 1')).rejects.toThrow(/does not work/)
  expect(await rowsOnDisk()).toHaveLength(3)
})
