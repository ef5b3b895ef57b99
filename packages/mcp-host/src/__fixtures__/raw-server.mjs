// @ts-nocheck: plain JavaScript, run as a child process.
// A hand-written MCP server for answers that the SDK's server would refuse to send. Its first argument is a mode.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const mode = process.argv[2] ?? 'plain'
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tool = (name, more = {}) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} }, ...more })

const blocks = [
  { type: 'text', text: 'plain text' },
  { type: 'resource', resource: { uri: 'file:///notes.md', text: '# Notes' } },
  { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'application/zip', blob: 'AAAA' } },
  { type: 'resource_link', uri: 'https://example.org/a', name: 'A page', description: 'about A' },
  { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
  { type: 'hologram', points: [1, 2, 3] },
]

const calls = {
  show_blocks: () => ({ content: blocks }),
  give_structured: () => ({ content: [], structuredContent: { a: 1 } }),
  break_schema: () => ({ content: [{ type: 'text', text: 'not what was promised' }] }),
  refuse_structured: () => ({ isError: true, content: [{ type: 'text', text: 'quota used up' }], structuredContent: { code: 7 } }),
  show_arguments: (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
}

const pages = {
  paged: [['one'], ['two'], ['three']],
  looping: [['one'], ['two']],
}

function listTools(cursor) {
  const names = pages[mode]
  if (names === undefined) {
    return {
      tools: [
        ...Object.keys(calls).map((name) => tool(name)),
        tool('refuse_call'),
        tool('bad_output', { outputSchema: { type: 'object', properties: { x: { $ref: '#/nowhere' } } } }),
        tool('bad_input', { inputSchema: { type: 'object', properties: { x: { type: 'no-such-type' } } } }),
        { description: 'has no name', inputSchema: {} },
      ],
    }
  }
  const index = cursor === undefined ? 0 : Number(cursor)
  const next = mode === 'looping' ? 1 : index + 1
  const more = next < names.length ? { nextCursor: String(next) } : {}
  return { tools: names[index].map((name) => tool(name)), ...more }
}

function answer({ id, method, params }) {
  if (method === 'initialize') {
    const result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } }
    send({ id, result })
  } else if (method === 'tools/list') {
    send({ id, result: listTools(params?.cursor) })
  } else if (method === 'tools/call') {
    if (params.name === 'bad_output') send({ id, error: { code: -32603, message: 'internal' } })
    else if (params.name === 'refuse_call') send({ id, error: { code: -32602, message: 'no such parameter' } })
    else send({ id, result: calls[params.name](params.arguments) })
  }
}

if (mode === 'noisy') process.stdout.write('loading model… ')
if (mode === 'chatty') process.stdout.write('welcome to the server\n')
if (mode === 'dead') process.exit(3)
if (mode === 'leaky') {
  // A child in a group of its own, as a browser is, that outlives its parent unless somebody ends it. argv[3] marks it.
  spawn(process.execPath, ['-e', `setInterval(() => {}, 1000) // ${process.argv[3]}`], { stdio: 'ignore', detached: true })
}
if (mode === 'stubborn' || mode === 'leaky') {
  setInterval(() => {}, 1000)
  process.on('SIGTERM', () => {})
}
if (mode !== 'mute') {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line)
    if (message.id !== undefined && message.method !== undefined) answer(message)
  })
} else {
  process.stdin.resume()
}
