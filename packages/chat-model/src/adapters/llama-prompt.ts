import type { ChatHistoryItem, Token } from 'node-llama-cpp'
import { ChatModelError } from '../errors.js'
import type { ChatRequest } from '../types.js'
import type { LlamaEngine } from './llama-engine.js'
import { type LlamaFunctions, toLlamaFunctions } from './llama-functions.js'
import { toLlamaHistory } from './llama-history.js'

/** An answer shorter than this is none, so a prompt that leaves less room is refused. */
const minimumAnswerTokens = 64
/** Kept free, so that the engine never shifts its window: the marks of a call are not counted as written. */
const reservedTokens = 32
/** Small enough that an abort stops a long prompt within seconds on two cores, large enough to cost no speed. */
const tokensPerStep = 256

export interface LlamaPrompt {
  readonly history: ChatHistoryItem[]
  readonly functions: LlamaFunctions | undefined
  readonly tokens: readonly Token[]
  /** Tokens that end an answer in this chat format, beside the model's own end marks. */
  readonly ends: ReadonlySet<Token>
  /** Room for the answer, at most `maxOutputTokens`. */
  readonly maxTokens: number
}

/**
 * Renders and counts a request's prompt. Throws `chat/context-overflow` when less than 64 tokens (or
 * `maxOutputTokens`, if that is less) would be left for the answer; the engine itself would drop messages in silence.
 */
export function renderPrompt(engine: LlamaEngine, request: ChatRequest): LlamaPrompt {
  const { tools = [], toolChoice, outputSchema } = request
  const offered = toolChoice === 'none' && outputSchema !== undefined ? [] : tools
  const functions = offered.length > 0 ? toLlamaFunctions(offered) : undefined
  const history = toLlamaHistory(request.messages)
  // The engine opens the answer as its own item, so the count has to include it.
  const opened: ChatHistoryItem[] =
    history.at(-1)?.type === 'model' ? history : [...history, { type: 'model', response: [] }]
  const { contextText, stopGenerationTriggers } = engine.chat.chatWrapper.generateContextState({
    chatHistory: opened,
    ...(functions && { availableFunctions: functions }),
  })
  const tokens = contextText.tokenize(engine.model.tokenizer)
  const room = engine.contextSize - tokens.length - reservedTokens
  const wanted = Math.min(minimumAnswerTokens, request.maxOutputTokens ?? minimumAnswerTokens)
  if (room < wanted) throw overflow(engine, tokens.length, wanted)
  const marks = stopGenerationTriggers.map((trigger) => trigger.tokenize(engine.model.tokenizer))
  const ends = new Set(marks.flatMap((mark) => (mark.length === 1 ? mark : [])))
  return { history, functions, tokens, ends, maxTokens: Math.min(room, request.maxOutputTokens ?? room) }
}

/**
 * Reads all of a prompt but its last token, step by step; returns how many tokens were new. What the sequence
 * already holds from earlier requests is kept up to the first difference.
 */
export async function readPrompt(
  engine: LlamaEngine,
  tokens: readonly Token[],
  signal: AbortSignal,
): Promise<number> {
  const { sequence } = engine
  const head = tokens.slice(0, -1)
  await sequence.adaptStateToTokens(head, false)
  const known = sequence.nextTokenIndex
  for (let index = known; index < head.length; index += tokensPerStep) {
    signal.throwIfAborted()
    await sequence.evaluateWithoutGeneratingNewTokens(head.slice(index, index + tokensPerStep))
  }
  signal.throwIfAborted()
  return tokens.length - known
}

function overflow(engine: LlamaEngine, promptTokens: number, answerTokens: number): ChatModelError {
  const needed = promptTokens + answerTokens + reservedTokens
  const largest = engine.model.trainContextSize
  const larger =
    needed <= largest
      ? `, or load the model with a contextSize of at least ${needed} (it takes up to ${largest})`
      : ''
  return new ChatModelError({
    code: 'chat/context-overflow',
    what: `The request was not sent: its prompt has ${promptTokens} tokens, and the window of ${engine.id} holds ${engine.contextSize}.`,
    why: `Prompt and answer share the window, and ${answerTokens + reservedTokens} tokens have to stay free for the answer.`,
    instead: `Shorten the prompt by ${needed - engine.contextSize} tokens${larger}.`,
    details: { promptTokens, contextWindow: engine.contextSize },
  })
}
