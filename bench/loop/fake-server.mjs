// A server without thinking time that speaks Ollama's /api/chat and OpenAI's /v1/chat/completions on loopback, in a
// process of its own. The model's name is the script: `fake-20` calls tools until 20 results are in the history,
// `fake-0-c4000` streams a text of 4,000 pieces. It looks for byte patterns instead of parsing, so it costs little.
import { createServer } from 'node:http'
import { callArguments, calledNames, finalText } from './job.mjs'

const resultMark = Buffer.from('"role":"tool"')
const created = '2026-01-01T00:00:00Z'
let captured

const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => answer(request.url, Buffer.concat(parts), response))
})

function answer(url, body, response) {
  if (url === '/capture/start') captured = []
  if (url === '/capture/stop') return sendJson(response, captured ?? [])
  if (url === '/connections') return server.getConnections((_, open) => sendJson(response, { open }))
  if (url === '/api/chat' || url === '/v1/chat/completions') {
    captured?.push({ url, body: body.toString('utf8') })
    return chat(body, response, url.startsWith('/v1'))
  }
  if (url === '/api/version') return sendJson(response, { version: '0.17.4' })
  const model = { name: 'fake-20', model: 'fake-20', size: 1, digest: 'd', details: { family: 'qwen2' } }
  if (url === '/api/tags') return sendJson(response, { models: [model] })
  if (url === '/api/show') {
    return sendJson(response, {
      details: { family: 'qwen2' },
      model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': 2 ** 23 },
      capabilities: ['completion', 'tools'],
    })
  }
  return sendJson(response, {})
}

function chat(body, response, isOpenAi) {
  const at = body.indexOf('fake-')
  const [name, calls, pieces] = /^fake-(\d+)(?:-c(\d+))?/.exec(body.toString('latin1', at, at + 40)) ?? []
  const results = countOf(body, resultMark)
  const isCall = results < Number(calls)
  const wantsStream = body.includes('"stream":true') || (!isOpenAi && !body.includes('"stream":false'))
  const turn = {
    name,
    call: isCall
      ? { id: `call_${results}`, name: calledNames[results % 5], arguments: callArguments[results % 5] }
      : undefined,
    texts: isCall
      ? []
      : pieces === undefined
        ? [finalText]
        : Array.from({ length: Number(pieces) }, (_, index) => `piece${index % 10} `),
    inputTokens: Math.ceil(body.length / 4),
  }
  if (isOpenAi) return wantsStream ? streamOpenAi(turn, response) : sendJson(response, wholeOpenAi(turn))
  if (!wantsStream)
    return sendJson(response, { ...ollamaMessage(turn, turn.texts.join(''), turn.call), ...ollamaEnd(turn) })
  const lines = turn.texts.map((text) => ({ ...ollamaMessage(turn, text), done: false }))
  if (turn.call !== undefined) lines.push({ ...ollamaMessage(turn, '', turn.call), done: false })
  lines.push({ ...ollamaMessage(turn, ''), ...ollamaEnd(turn) })
  stream(
    response,
    'application/x-ndjson',
    lines.map((line) => `${JSON.stringify(line)}\n`),
  )
}

function ollamaMessage({ name }, content, call) {
  const calls =
    call === undefined
      ? {}
      : { tool_calls: [{ id: call.id, function: { index: 0, name: call.name, arguments: call.arguments } }] }
  return { model: name, created_at: created, message: { role: 'assistant', content, ...calls } }
}

function ollamaEnd({ inputTokens }) {
  const nanoseconds = {
    total_duration: 3e6,
    load_duration: 1e6,
    prompt_eval_duration: 1e6,
    eval_duration: 1e6,
  }
  return { done: true, done_reason: 'stop', prompt_eval_count: inputTokens, eval_count: 40, ...nanoseconds }
}

function openAiCalls(call) {
  return call === undefined
    ? {}
    : {
        tool_calls: [
          {
            id: call.id,
            index: 0,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          },
        ],
      }
}

function wholeOpenAi({ name, call, texts, inputTokens }) {
  const message = { role: 'assistant', content: texts.join(''), ...openAiCalls(call) }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_225_600,
    model: name,
    choices: [{ index: 0, message, finish_reason: call === undefined ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: inputTokens, completion_tokens: 40, total_tokens: inputTokens + 40 },
  }
}

function streamOpenAi({ name, call, texts, inputTokens }, response) {
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_767_225_600, model: name }
  const delta = (part, finish_reason = null) => ({
    ...frame,
    choices: [{ index: 0, delta: part, finish_reason }],
  })
  const lines = texts.map((content) => delta({ role: 'assistant', content }))
  if (call !== undefined) lines.push(delta({ role: 'assistant', content: '', ...openAiCalls(call) }))
  lines.push(delta({}, call === undefined ? 'stop' : 'tool_calls'))
  lines.push({
    ...frame,
    choices: [],
    usage: { prompt_tokens: inputTokens, completion_tokens: 40, total_tokens: inputTokens + 40 },
  })
  const events = lines.map((line) => `data: ${JSON.stringify(line)}\n\n`)
  stream(response, 'text/event-stream', [...events, 'data: [DONE]\n\n'])
}

// A short answer goes out at once. A long text goes out in groups of eight lines, so that a client sees many reads, as
// from a real model.
function stream(response, type, lines) {
  response.writeHead(200, { 'content-type': type })
  if (lines.length <= 100) return response.end(lines.join(''))
  let next = 0
  const writeOn = () => {
    if (next >= lines.length) return response.end()
    const free = response.write(lines.slice(next, next + 8).join(''))
    next += 8
    if (free) setImmediate(writeOn)
    else response.once('drain', writeOn)
  }
  writeOn()
}

function sendJson(response, value) {
  const body = Buffer.from(JSON.stringify(value))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}

function countOf(body, mark) {
  let found = 0
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) found++
  return found
}

server.listen(0, '127.0.0.1', () => process.send({ base: `http://127.0.0.1:${server.address().port}` }))
process.on('disconnect', () => process.exit(0))
