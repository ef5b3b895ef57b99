import { estimateTokens } from '../estimate-tokens.js'
import type { AssistantMessage, ChatEvent, ChatRequest, ToolCall, Usage } from '../types.js'
import { addPieces, createIdMint, endedEarly, isMuchShorterThan } from './answer-parts.js'
import {
  classifyOpenAiError,
  exhaustedOpenAiBudget,
  type OpenAiCall,
  openAiErrorText,
  silentOpenAiCut,
} from './openai-errors.js'
import { openAiName } from './openai-server.js'
import { createSseReader, type SseItem } from './sse.js'
import type { AnswerReader } from './stream-events.js'
import { createThinkSplitter } from './think-blocks.js'
import { createCallAssembler } from './tool-call-deltas.js'

/**
 * Turns the events of one `/v1/chat/completions` into ours. Calls come when the answer is whole, so none is made of
 * half of its arguments. Without `[DONE]` and without a reason for its end an answer counts as broken off.
 */
export function readOpenAiAnswer(request: ChatRequest, call: OpenAiCall, bodyBytes: number): AnswerReader {
  const sse = createSseReader(openAiName.name)
  const splitter = createThinkSplitter()
  const assembler = createCallAssembler()
  const parts = { text: '', reasoning: '' }
  let usage: Usage = {}
  let reason: string | undefined

  function finish(): readonly ChatEvent[] {
    const events: ChatEvent[] = []
    addPieces(splitter.end(), parts, events)
    const mintId = createIdMint(request.messages)
    const toolCalls = assembler.end().map(({ id, ...rest }): ToolCall => ({ id: mintId(id), ...rest }))
    for (const toolCall of toolCalls) events.push({ type: 'tool-call', call: toolCall })
    throwIfCut(usage.inputTokens, request, call, bodyBytes)
    if (parts.text.trim() === '' && toolCalls.length === 0 && reason === 'length')
      throw exhaustedOpenAiBudget(call, request.maxOutputTokens, usage, parts.reasoning !== '')
    const message: AssistantMessage = {
      role: 'assistant',
      text: parts.text,
      ...(parts.reasoning === '' ? {} : { reasoning: parts.reasoning }),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    }
    const why = toolCalls.length > 0 ? 'tool-calls' : reason === 'length' ? 'length' : 'stop'
    return [...events, { type: 'finish', reason: why, message, usage }]
  }

  function read(item: SseItem): readonly ChatEvent[] {
    if (item.kind === 'done') return finish()
    const chunk = asObject(item.value)
    throwIfFailed(chunk, call)
    if (chunk.usage || chunk.timings) usage = { ...usage, ...readUsage(chunk) }
    const choice = Array.isArray(chunk.choices) ? asObject(chunk.choices[0]) : {}
    const delta = asObject(choice.delta)
    const events: ChatEvent[] = []
    const thought = textOf(delta.reasoning_content) || textOf(delta.reasoning)
    if (thought !== '') {
      parts.reasoning += thought
      events.push({ type: 'reasoning-delta', text: thought })
    }
    const text = textOf(delta.content)
    if (text !== '') addPieces(splitter.push(text), parts, events)
    assembler.push(delta.tool_calls)
    if (typeof choice.finish_reason === 'string') reason = choice.finish_reason
    if (reason === 'abort' || reason === 'error')
      throw classifyOpenAiError(`it gave the answer up (finish_reason "${reason}")`, undefined, call)
    return events
  }

  return {
    push(line) {
      const item = sse.push(line)
      return item === undefined ? nothing : read(item)
    },
    end() {
      const item = sse.end()
      const events = item === undefined ? nothing : read(item)
      if (events.at(-1)?.type === 'finish') return events
      if (reason === undefined) throw endedEarly(`model "${call.model}"`)
      return [...events, ...finish()]
    },
  }
}

const nothing: readonly ChatEvent[] = []

function throwIfFailed(chunk: Fields, call: OpenAiCall): void {
  const isError = (chunk.error !== undefined && chunk.error !== null) || chunk.object === 'error'
  if (!isError) return
  const { code } = asObject(chunk.error ?? chunk)
  const status = typeof code === 'number' && code >= 400 ? code : undefined
  throw classifyOpenAiError(openAiErrorText(chunk) ?? '(no text)', status, call)
}

/** Counts of `usage`, times and cached tokens of llama-server's `timings`; what a server does not say is absent. */
function readUsage(chunk: Fields): Usage {
  const counts = asObject(chunk.usage)
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = counts
  const { prompt_ms: promptMs, predicted_ms: outputMs, cache_n } = asObject(chunk.timings)
  const cached = cache_n ?? asObject(counts.prompt_tokens_details).cached_tokens
  return {
    ...(typeof inputTokens === 'number' ? { inputTokens } : {}),
    ...(typeof cached === 'number' ? { cachedInputTokens: cached } : {}),
    ...(typeof outputTokens === 'number' ? { outputTokens } : {}),
    ...(typeof promptMs === 'number' ? { promptMs } : {}),
    ...(typeof outputMs === 'number' ? { outputMs } : {}),
  }
}

// As for Ollama: a prompt that fits leaves room for a token; far below a rough count that would not fit, it was cut.
function throwIfCut(
  inputTokens: number | undefined,
  request: ChatRequest,
  call: OpenAiCall,
  bodyBytes: number,
): void {
  const { contextWindow } = call
  if (inputTokens === undefined || contextWindow === undefined) return
  const isFilled = inputTokens >= contextWindow
  if (!isFilled && !isMuchShorterThan(bodyBytes, inputTokens, contextWindow)) return
  const estimate = estimateTokens(request.messages, request.tools)
  const isFarBelow = estimate > contextWindow && inputTokens < estimate / 2
  if (isFilled || isFarBelow) throw silentOpenAiCut(call, estimate, inputTokens)
}

interface Fields {
  readonly [key: string]: unknown
}

function asObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
