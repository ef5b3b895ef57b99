import { randomUUID } from 'node:crypto'
import type { ChatHistoryItem, ChatModelFunctions, ChatWrapper, GbnfJsonSchema } from 'node-llama-cpp'
import type { ToolSpec } from '../types.js'
import { toGrammarSchema } from './llama-grammar-schema.js'

/** Tools as the engine takes them: with the schemas that its grammar enforces. */
export type LlamaFunctions = ChatModelFunctions

// What the prompt shows of the same tools: the whole schemas, with bounds, defaults and patterns.
const documented = new WeakMap<object, ChatModelFunctions>()

/** Tools whose calls are held to `toGrammarSchema`, and whose whole schemas an adapted chat format documents. */
export function toLlamaFunctions(tools: readonly ToolSpec[]): LlamaFunctions {
  const enforced: Record<string, { description: string; params: GbnfJsonSchema }> = {}
  const shown: Record<string, { description: string; params: GbnfJsonSchema }> = {}
  for (const { name, description, inputSchema } of tools) {
    enforced[name] = { description, params: toGrammarSchema(inputSchema) }
    shown[name] = { description, params: inputSchema as unknown as GbnfJsonSchema }
  }
  documented.set(enforced, shown)
  return enforced
}

/**
 * The chat format of a model, with two changes against the engine's own: tools are documented by their whole schemas
 * (the engine would print its grammar's subset), and a tool's result stands in the prompt as it is (the engine would
 * print it as a JSON string with every line break escaped, which the models' own templates do not).
 */
export function adaptChatWrapper(wrapper: ChatWrapper): ChatWrapper {
  const generateContextState = wrapper.generateContextState.bind(wrapper)
  wrapper.generateContextState = (options) => {
    const shown = options.availableFunctions && documented.get(options.availableFunctions)
    const results: string[] = []
    const state = generateContextState({
      ...options,
      ...(shown && { availableFunctions: shown }),
      chatHistory: options.chatHistory.map((item) => markResults(item, results)),
    })
    if (results.length === 0) return state
    const insert = (text: string) => text.replaceAll(markPattern, (...match) => unmarked(match, results))
    return {
      ...state,
      contextText: state.contextText.mapValues((value) =>
        typeof value === 'string' ? insert(value) : value,
      ),
    }
  }
  return wrapper
}

// Chosen anew by each process, so that no text can hold it by design. Prompts do not show it.
const nonce = randomUUID()

/** Puts a mark where the engine would write a result as JSON. */
function markResults(item: ChatHistoryItem, results: string[]): ChatHistoryItem {
  if (item.type !== 'model') return item
  const response = item.response.map((part) => {
    if (typeof part === 'string' || part.type !== 'functionCall' || typeof part.result !== 'string')
      return part
    return { ...part, result: `${nonce}:${results.push(part.result) - 1}:` }
  })
  return { ...item, response }
}

const markPattern = new RegExp(`("\\\\"|"|)${nonce}:(\\d+):(?:\\\\""|"|)`, 'g')

/** Takes off one level of quotes: a template that writes its content as JSON itself adds a second one. */
function unmarked([, quotes, index]: readonly string[], results: readonly string[]): string {
  const result = results[Number(index)] ?? ''
  return quotes === '"\\"' ? JSON.stringify(result) : result
}
