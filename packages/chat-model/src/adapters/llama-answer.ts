import type { LlamaChatResponseChunk } from 'node-llama-cpp'
import { ChatModelError } from '../errors.js'
import type { ChatEvent, ChatRequest, FinishReason, ToolCall, ToolSpec, Usage } from '../types.js'
import { engineMessage } from './llama-backend.js'
import type { LlamaEngine } from './llama-engine.js'
import { toGrammarSchema } from './llama-grammar-schema.js'
import { type LlamaPrompt, readPrompt, renderPrompt } from './llama-prompt.js'
import { writeRequiredCall } from './llama-required-call.js'
import { writeText } from './llama-text.js'

/**
 * One call, then its result: small models asked for several at once make up what the first would have told them
 * (addresses, for example), and some never stop.
 */
const maxParallelFunctionCalls = 1

export type Push = (event: ChatEvent) => void

/** Runs one request to its `finish` event. Rejects with `signal.reason` or a `ChatModelError`. */
export async function answer(
  engine: LlamaEngine,
  request: ChatRequest,
  { signal, push }: { signal: AbortSignal; push: Push },
): Promise<void> {
  try {
    const prompt = renderPrompt(engine, request)
    const output = collectOutput(request, push)
    const meter = engine.sequence.tokenMeter
    const started = performance.now()
    const newTokens = await readPrompt(engine, prompt.tokens, signal)
    const promptRead = performance.now()
    const before = meter.getState()
    const stopReason = await generate(engine, request, { prompt, signal, output })
    push(
      output.finish(stopReason, {
        inputTokens: prompt.tokens.length,
        cachedInputTokens: prompt.tokens.length - newTokens,
        outputTokens: meter.diff(before).usedOutputTokens,
        promptMs: Math.round(promptRead - started),
        outputMs: Math.round(performance.now() - promptRead),
      }),
    )
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ChatModelError) throw cause
    throw new ChatModelError(
      {
        code: 'chat/server-error',
        what: `${engine.id} gave no answer: ${await engineMessage(cause)}`,
        why: 'The embedded engine failed while it answered.',
        instead: 'Try again; if it fails again, load the model anew.',
        retryable: true,
      },
      { cause },
    )
  }
}

/** Resolves to why the answer ended. */
async function generate(
  engine: LlamaEngine,
  request: ChatRequest,
  { prompt, signal, output }: { prompt: LlamaPrompt; signal: AbortSignal; output: Output },
): Promise<string> {
  const { chat, llama } = engine
  const { functions, history } = prompt
  const sampling = {
    temperature: request.temperature ?? 0,
    ...(request.seed !== undefined && { seed: request.seed }),
  }
  const required = requiredTools(request)
  if (functions !== undefined && required.length > 0) {
    const options = { tools: required, ...sampling, signal }
    const { call, stopReason } = await writeRequiredCall(engine, prompt, options)
    if (call !== undefined) output.onCall(call)
    return stopReason
  }
  if (functions !== undefined && request.toolChoice === 'none') {
    const onText = (text: string) =>
      output.onChunk({ type: undefined, segmentType: undefined, text, tokens: [] })
    return writeText(engine, prompt, { ...sampling, signal, onText })
  }
  const options = {
    signal,
    maxTokens: prompt.maxTokens,
    ...sampling,
    // The engine's default penalty of 1.1 also punishes the quotes and braces of JSON.
    repeatPenalty: false as const,
    onResponseChunk: output.onChunk,
  }
  if (functions !== undefined) {
    const calling = { functions, onFunctionCall: output.onCall, maxParallelFunctionCalls }
    return stopReasonOf(await chat.generateResponse(history, { ...options, ...calling }))
  }
  if (request.outputSchema !== undefined) {
    const grammar = await llama.createGrammarForJsonSchema(toGrammarSchema(request.outputSchema))
    return stopReasonOf(await chat.generateResponse(history, { ...options, grammar }))
  }
  return stopReasonOf(await chat.generateResponse(history, options))
}

/** The tools of which one must be called now; empty when the model may choose. */
function requiredTools({ tools = [], toolChoice }: ChatRequest): readonly ToolSpec[] {
  if (toolChoice === 'required') return tools
  return typeof toolChoice === 'object' ? tools.filter((tool) => tool.name === toolChoice.name) : []
}

function stopReasonOf(response: { readonly metadata: { readonly stopReason: string } }): string {
  return response.metadata.stopReason
}

interface Output {
  onChunk(chunk: LlamaChatResponseChunk): void
  onCall(call: { readonly functionName: string; readonly params: unknown }): void
  finish(stopReason: string, usage: Usage): ChatEvent
}

function collectOutput(request: ChatRequest, push: Push): Output {
  let text = ''
  let reasoning = ''
  const toolCalls: ToolCall[] = []
  const known = request.messages.reduce(
    (count, message) => count + (message.role === 'assistant' ? (message.toolCalls?.length ?? 0) : 0),
    0,
  )
  return {
    onChunk(chunk) {
      if (chunk.text === '') return
      if (chunk.type === 'segment') {
        reasoning += chunk.text
        push({ type: 'reasoning-delta', text: chunk.text })
      } else {
        text += chunk.text
        push({ type: 'text-delta', text: chunk.text })
      }
    },
    onCall({ functionName, params }) {
      // Counted over the whole conversation: ids have to be unique in a run, also in one that was resumed.
      const call = { id: `call-${known + toolCalls.length + 1}`, name: functionName, arguments: params ?? {} }
      toolCalls.push(call)
      push({ type: 'tool-call', call })
    },
    finish(stopReason, usage) {
      const message = {
        role: 'assistant' as const,
        text,
        ...(reasoning !== '' && { reasoning }),
        ...(toolCalls.length > 0 && { toolCalls }),
      }
      return { type: 'finish', reason: reasonOf(stopReason, toolCalls), message, usage }
    },
  }
}

function reasonOf(stopReason: string, toolCalls: readonly ToolCall[]): FinishReason {
  if (toolCalls.length > 0) return 'tool-calls'
  return stopReason === 'maxTokens' ? 'length' : 'stop'
}
