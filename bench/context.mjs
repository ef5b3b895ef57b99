// What goes over the wire: how long the bodies are, how much of each turn's prompt is an exact prefix of the next one's
// (what a server's prefix cache can use), and how much of a for-each's prompt all its items share.

import { system } from './loop/job.mjs'
import { peers, prepare, runCold, startServer } from './loop/processes.mjs'

const calls = 20
const tools = 40

export async function bench() {
  prepare()
  const server = await startServer()
  try {
    const rows = []
    let floor
    for (const peer of peers.filter(({ id }) => !id.includes('A/A') && id !== 'raw append-only')) {
      const first = await capture(peer, server.base, 'Item "alpha": work on it with the tools, then sum up.')
      const second = await capture(peer, server.base, 'Item "omega": work on it with the tools, then sum up.')
      const bytes = first.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
      floor ??= bytes
      const turns = first.map((body) => render(JSON.parse(body)))
      const kept = Math.min(
        ...turns.slice(1).map((next, index) => shared(turns[index], next) / turns[index].length),
      )
      const head = turns[0].indexOf('Item "')
      const headKept = shared(turns[0], render(JSON.parse(second[0]))) / head
      const value = `body × ${(bytes / floor).toFixed(3)}, prefix ${percent(kept)}, for-each head ${percent(headKept)}`
      rows.push({
        name: peer.id,
        value,
        ...(peer.id === 'icm' ? { target: '100 %, 100 %', ok: kept === 1 && headKept >= 1 } : {}),
      })
      if (peer.id === 'icm') rows.push(exactPrefix(first))
    }
    return { about: `${calls + 1} turns, ${tools} tools; prompts as a chat template renders them`, rows }
  } finally {
    server.stop()
  }
}

/** Stricter than the rendered prompt: the bytes of each body up to the end of its messages. */
function exactPrefix(bodies) {
  const heads = bodies.map((body) => body.slice(0, body.lastIndexOf(']', body.lastIndexOf('"stream"'))))
  const broken = heads.slice(1).filter((head, index) => !head.startsWith(heads[index])).length
  const value = `${heads.length - 1 - broken} of ${heads.length - 1} turns`
  return {
    name: 'icm: the body, byte for byte, is a prefix of the next',
    value,
    target: 'all',
    ok: broken === 0,
  }
}

async function capture(peer, base, user) {
  await fetch(`${base}/capture/start`)
  process.env.BENCH_USER = user
  await runCold(peer, base, calls, tools)
  delete process.env.BENCH_USER
  const captured = await (await fetch(`${base}/capture/stop`)).json()
  return captured.map(({ body }) => body)
}

/** A prompt in the manner of Qwen's template; ids are not rendered, as in Ollama's templates. */
function render({ messages, tools: offered = [] }) {
  const rest = messages.filter(({ role }) => role !== 'system' && role !== 'developer')
  const head = `<|system|>\n${textOf(messages[0]?.content) || system}\n${offered.map((tool) => JSON.stringify(tool)).join('\n')}`
  return [
    head,
    ...rest.map((message) => `<|${message.role}|>\n${textOf(message.content)}${callsOf(message)}`),
  ].join('\n')
}

function callsOf({ tool_calls: made = [] }) {
  const read = (given) => (typeof given === 'string' ? JSON.parse(given) : given)
  return made
    .map(({ function: call }) => `\n<call>${JSON.stringify([call.name, read(call.arguments)])}</call>`)
    .join('')
}

function textOf(content) {
  return Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '')
}

function shared(one, other) {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function percent(share) {
  return `${(100 * Math.min(1, share)).toFixed(1)} %`
}
