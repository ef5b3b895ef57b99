import type { Token } from 'node-llama-cpp'
import type { LlamaEngine } from './llama-engine.js'
import type { LlamaPrompt } from './llama-prompt.js'

/** An answer begins with a word: not with its end, a blank or what opens a call, which a fence does too. */
const beginning = 'root ::= [^ \\t\\r\\n<{`] [^\\x00]*'
/** A character of several tokens is shown as this until its last one is there. */
const incomplete = '\uFFFD'

/**
 * Writes a text for `toolChoice: 'none'`, with the tools still in the prompt, so that the engine reads only what is
 * new of a conversation that used them. A model that is told of tools may end its answer at once or call one more; its
 * first character is held by a grammar. The prompt has been read but for its last token.
 */
export async function writeText(
  engine: LlamaEngine,
  prompt: LlamaPrompt,
  options: { onText: (text: string) => void; temperature: number; seed?: number; signal: AbortSignal },
): Promise<'stop' | 'maxTokens'> {
  const { signal, onText, ...sampling } = options
  const { LlamaGrammarEvaluationState } = engine.module
  const grammar = await engine.llama.createGrammar({ grammar: beginning })
  const held = new LlamaGrammarEvaluationState({ model: engine.model, grammar })
  let count = 0
  const tokens = engine.sequence.evaluate(prompt.tokens.slice(-1), {
    ...sampling,
    grammarEvaluationState: () => (count === 0 ? held : undefined),
  })
  let shown: Token[] = []
  let pending: Token[] = []
  for await (const token of tokens) {
    signal.throwIfAborted()
    if (prompt.ends.has(token)) return 'stop'
    count++
    pending.push(token)
    // Some tokenizers drop the space before a word that nothing stands before.
    const text = engine.model.detokenize(pending, false, shown)
    if (!text.endsWith(incomplete)) {
      onText(text)
      shown = pending
      pending = []
    }
    if (count >= prompt.maxTokens) return 'maxTokens'
  }
  return 'stop' // the engine ends at the model's own end marks
}
