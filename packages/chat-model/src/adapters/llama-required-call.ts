import type { ToolSpec } from '../types.js'
import type { LlamaEngine } from './llama-engine.js'
import { toGrammarSchema } from './llama-grammar-schema.js'
import type { LlamaPrompt } from './llama-prompt.js'

/** The engine's grammars end a value with this. */
const endOfValue = '\n\n\n\n'

export interface RequiredCall {
  /** Missing when the answer's room ended first. */
  readonly call?: { readonly functionName: string; readonly params: unknown }
  readonly stopReason: 'stop' | 'maxTokens'
}

/**
 * Writes exactly one tool call, for a `toolChoice` that asks for one: a grammar leaves the model no other choice than a name
 * and its arguments. The prompt has been read but for its last token.
 */
export async function writeRequiredCall(
  engine: LlamaEngine,
  prompt: LlamaPrompt,
  options: { tools: readonly ToolSpec[]; temperature: number; seed?: number; signal: AbortSignal },
): Promise<RequiredCall> {
  const { LlamaGrammarEvaluationState } = engine.module
  const grammar = await engine.llama.createGrammarForJsonSchema({
    oneOf: options.tools.map(({ name, inputSchema }) => ({
      type: 'object' as const,
      properties: { name: { const: name }, arguments: toGrammarSchema(inputSchema) },
    })),
  })
  const { signal, tools: _, ...sampling } = options
  const tokens = engine.sequence.evaluate(prompt.tokens.slice(-1), {
    ...sampling,
    grammarEvaluationState: new LlamaGrammarEvaluationState({ model: engine.model, grammar }),
  })
  const written = []
  for await (const token of tokens) {
    signal.throwIfAborted()
    written.push(token)
    const text = engine.model.detokenize(written)
    if (text.endsWith(endOfValue)) {
      const { name, arguments: params } = JSON.parse(text) as { name: string; arguments: unknown }
      return { call: { functionName: name, params }, stopReason: 'stop' }
    }
    if (written.length >= prompt.maxTokens) break
  }
  return { stopReason: 'maxTokens' }
}
