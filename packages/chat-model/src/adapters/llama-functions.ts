import type { ChatModelFunctions, ChatWrapper, GbnfJsonSchema } from 'node-llama-cpp'
import type { ToolSpec } from '../types.js'
import { toGrammarSchema } from './llama-grammar-schema.js'

/** Tools as the engine takes them: the schemas that its grammar enforces. */
export type LlamaFunctions = ChatModelFunctions

// What the prompt shows of the same tools: the whole schemas, with bounds, defaults and patterns.
const documented = new WeakMap<object, ChatModelFunctions>()

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
 * print it as a JSON string, with every line break escaped, which models' own templates do not).
 */
export function adaptChatWrapper(wrapper: ChatWrapper): ChatWrapper {
  const generateContextState = wrapper.generateContextState.bind(wrapper)
  const generateFunctionCallResult = wrapper.generateFunctionCallResult.bind(wrapper)
  wrapper.generateContextState = (options) => {
    const shown = options.availableFunctions && documented.get(options.availableFunctions)
    return generateContextState({ ...options, ...(shown && { availableFunctions: shown }) })
  }
  wrapper.generateFunctionCallResult = (name, params, result) => {
    if (typeof result !== 'string') return generateFunctionCallResult(name, params, result)
    const mark = 'icm-tool-result-goes-here'
    const around = generateFunctionCallResult(name, params, mark)
    return around.mapValues((value) => (typeof value === 'string' ? replaceMark(value, mark, result) : value))
  }
  return wrapper
}

function replaceMark(text: string, mark: string, result: string): string {
  const quoted = `"${mark}"`
  return text.includes(quoted) ? text.split(quoted).join(result) : text.split(mark).join(result)
}
