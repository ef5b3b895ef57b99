import { estimateTokens } from '../estimate-tokens.js'
import type { AssistantMessage, ChatEvent, ChatRequest, ToolCall, Usage } from '../types.js'
import { addPieces, createIdMint, endedEarly, isMuchShorterThan } from './answer-parts.js'
import { parseJsonLine } from './line-reader.js'
import {
  classifyOllamaError,
  exhaustedBudgetError,
  type OllamaCall,
  silentCutError,
} from './ollama-errors.js'
import { type OllamaChunk, readOllamaChunk } from './ollama-messages.js'
import { ollamaName } from './ollama-server.js'
import type { AnswerReader } from './stream-events.js'
import { createThinkSplitter } from './think-blocks.js'

/**
 * Turns the lines of one `/api/chat` into events. Every call of every line is kept, whatever its index says (field
 * report B08), and read independently of text and thinking (B06). Throws when the answer is cut, blank or refused.
 */
export function readOllamaAnswer(request: ChatRequest, call: OllamaCall, bodyBytes: number): AnswerReader {
  const splitter = createThinkSplitter()
  const mintId = createIdMint(request.messages)
  const parts = { text: '', reasoning: '' }
  const toolCalls: ToolCall[] = []
  return {
    push(line) {
      if (line === '' || line.trim() === '') return []
      const chunk = readOllamaChunk(parseJsonLine(line, ollamaName.name))
      if (chunk.error !== undefined) throw classifyOllamaError(chunk.error, undefined, call)
      const events: ChatEvent[] = []
      if (chunk.reasoning !== '') {
        parts.reasoning += chunk.reasoning
        events.push({ type: 'reasoning-delta', text: chunk.reasoning })
      }
      if (chunk.text !== '') addPieces(splitter.push(chunk.text), parts, events)
      if (chunk.done) addPieces(splitter.end(), parts, events)
      for (const found of chunk.calls) {
        const toolCall = { id: mintId(), name: found.name, arguments: found.arguments }
        toolCalls.push(toolCall)
        events.push({ type: 'tool-call', call: toolCall })
      }
      if (chunk.done) events.push(finish(chunk, parts, toolCalls, request, call, bodyBytes))
      return events
    },
    end() {
      throw endedEarly(`model "${call.model}"`)
    },
  }
}

function finish(
  chunk: OllamaChunk,
  parts: { readonly text: string; readonly reasoning: string },
  toolCalls: readonly ToolCall[],
  request: ChatRequest,
  call: OllamaCall,
  bodyBytes: number,
): ChatEvent {
  const usage: Usage = chunk.usage ?? {}
  throwIfCut(usage.inputTokens, request, call, bodyBytes)
  const isBlank = parts.text.trim() === '' && toolCalls.length === 0
  if (isBlank && chunk.doneReason === 'length') {
    throw exhaustedBudgetError(
      call,
      { ...usage, maxOutputTokens: request.maxOutputTokens },
      parts.reasoning !== '',
    )
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
function throwIfCut(
  inputTokens: number | undefined,
  request: ChatRequest,
  call: OllamaCall,
  bodyBytes: number,
): void {
  if (inputTokens === undefined) return
  const isFilled = inputTokens >= call.contextWindow
  if (!isFilled && !isMuchShorterThan(bodyBytes, inputTokens, call.contextWindow)) return
  const estimate = estimateTokens(request.messages, request.tools)
  const isFarBelow = estimate > call.contextWindow && inputTokens < estimate / 2
  if (isFilled || isFarBelow) throw silentCutError(call, estimate, inputTokens)
}
