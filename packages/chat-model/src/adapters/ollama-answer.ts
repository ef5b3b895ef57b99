import { ChatModelError } from '../errors.js'
import { estimateTokens } from '../estimate-tokens.js'
import type { AssistantMessage, ChatEvent, ChatRequest, Message, ToolCall, Usage } from '../types.js'
import {
  classifyOllamaError,
  exhaustedBudgetError,
  type OllamaCall,
  silentCutError,
} from './ollama-errors.js'
import { type OllamaChunk, readOllamaChunk } from './ollama-messages.js'
import { createThinkSplitter } from './think-blocks.js'

/**
 * Turns the lines of one `/api/chat` into events. Every call of every line is kept, whatever its index says (field
 * report B08), and read independently of text and thinking (B06). Throws when the answer is cut, blank or refused.
 */
export async function* readOllamaAnswer(
  lines: AsyncIterable<unknown>,
  request: ChatRequest,
  call: OllamaCall,
): AsyncGenerator<ChatEvent, void, void> {
  const splitter = createThinkSplitter()
  const mintId = createIdMint(request.messages)
  const parts = { text: '', reasoning: '' }
  const toolCalls: ToolCall[] = []
  for await (const line of lines) {
    const chunk = readOllamaChunk(line)
    if (chunk.error !== undefined) throw classifyOllamaError(chunk.error, undefined, call)
    const pieces = [
      { kind: 'reasoning' as const, text: chunk.reasoning },
      ...splitter.push(chunk.text),
      ...(chunk.done ? splitter.end() : []),
    ]
    for (const { kind, text } of pieces) {
      if (text === '') continue
      parts[kind] += text
      yield { type: kind === 'text' ? 'text-delta' : 'reasoning-delta', text }
    }
    for (const found of chunk.calls) {
      const toolCall = { id: mintId(), ...found }
      toolCalls.push(toolCall)
      yield { type: 'tool-call', call: toolCall }
    }
    if (chunk.done) return yield finish(chunk, parts, toolCalls, request, call)
  }
  throw endedEarly(call)
}

function finish(
  chunk: OllamaChunk,
  parts: { readonly text: string; readonly reasoning: string },
  toolCalls: readonly ToolCall[],
  request: ChatRequest,
  call: OllamaCall,
): ChatEvent {
  const { inputTokens, outputTokens, loadMs, promptMs, outputMs } = chunk
  const usage: Usage = definedOnly({ inputTokens, outputTokens, loadMs, promptMs, outputMs })
  throwIfCut(inputTokens, request, call)
  const isBlank = parts.text.trim() === '' && toolCalls.length === 0
  if (isBlank && chunk.doneReason === 'length') {
    const budget = definedOnly({ inputTokens, outputTokens, maxOutputTokens: request.maxOutputTokens })
    throw exhaustedBudgetError(call, budget, parts.reasoning !== '')
  }
  const message: AssistantMessage = {
    role: 'assistant',
    text: parts.text,
    ...(parts.reasoning === '' ? {} : { reasoning: parts.reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  }
  const reason = toolCalls.length > 0 ? 'tool-calls' : chunk.doneReason === 'length' ? 'length' : 'stop'
  return { type: 'finish', reason, message, usage }
}

// A prompt that fits leaves room for at least one token. Far below a rough count that would not fit: it was cut.
function throwIfCut(inputTokens: number | undefined, request: ChatRequest, call: OllamaCall): void {
  if (inputTokens === undefined) return
  const estimate = estimateTokens(request.messages, request.tools)
  const isFilled = inputTokens >= call.contextWindow
  const isFarBelow = estimate > call.contextWindow && inputTokens < estimate / 2
  if (isFilled || isFarBelow) throw silentCutError(call, estimate, inputTokens)
}

/** `call-<n>`, counted over the whole conversation, so that a resumed run never repeats an id. */
function createIdMint(messages: readonly Message[]): () => string {
  const used = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) used.add(call.id)
  }
  let count = used.size
  return () => {
    do count += 1
    while (used.has(`call-${count}`))
    return `call-${count}`
  }
}

function definedOnly<T extends object>(value: T): { [key in keyof T]?: Exclude<T[key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [key in keyof T]?: Exclude<T[key], undefined>
  }
}

function endedEarly(call: OllamaCall): ChatModelError {
  return new ChatModelError({
    code: 'chat/stream-corrupt',
    what: `The answer of model "${call.model}" ended without its last line.`,
    why: 'Without it nobody knows whether the answer is complete.',
    instead: 'Look into the log of the server, then repeat the call.',
    retryable: true,
    details: { model: call.model },
  })
}
