import { nearestName } from '@icm/errors'
import { ChatModelError } from '../errors.js'
import { hostOf } from './http-errors.js'
import { type RefusalKind, serverRefusal } from './server-refusal.js'

/** Where and what was asked, for error texts. */
export interface OllamaCall {
  readonly host: URL
  readonly model: string
  readonly contextWindow: number
}

/**
 * Sorts a refusal of the server by its text first and its status second: an error in the middle of a stream has
 * no status (field report A09), and 500 means anything.
 */
export function classifyOllamaError(
  text: string,
  status: number | undefined,
  call: OllamaCall,
): ChatModelError {
  const kind = kinds.find((candidate) => candidate.pattern.test(text))
  return serverRefusal({ who: 'Ollama', host: call.host, text, status, call, kind })
}

const kinds: readonly RefusalKind<OllamaCall>[] = [
  {
    pattern: /does not support tools/i,
    code: 'chat/no-tool-support',
    why: 'The template of this model has no place for tools.',
    instead: () => 'Use a model that lists "tools" among its capabilities (`ollama show <model>`).',
    retryable: false,
  },
  {
    pattern: /does not support thinking|think value .* is not supported/i,
    code: 'chat/no-thinking-support',
    why: 'This model cannot think, or not at that level.',
    instead: () => 'Leave out the option think.',
    retryable: false,
  },
  {
    pattern:
      /exceeds? (the |its )?(available )?context|context (length|window|size) exceeded|input length exceeds/i,
    code: 'chat/context-overflow',
    why: 'Prompt and tools have to fit into the window; nothing is cut silently.',
    instead: (call) => `Shorten the messages or raise contextWindow (now ${call.contextWindow} tokens).`,
    retryable: false,
  },
  {
    pattern:
      /out of memory|(more|insufficient) (system |gpu )?memory|memory layout cannot|(allocate|commit) memory|cudaMalloc failed|signal: killed/i,
    code: 'chat/out-of-memory',
    why: 'The model with its window does not fit into the memory of the server.',
    instead: (call) => `Lower contextWindow (now ${call.contextWindow} tokens), or use a smaller model.`,
    retryable: false,
  },
  {
    pattern: /server busy|maximum pending requests|loading model|request canceled/i,
    code: 'chat/server-error',
    why: 'The server has too much to do.',
    instead: () => 'Wait a little, then repeat the call.',
    retryable: true,
  },
]

/** For a 404: says which models are there, which of them was probably meant, and how to fetch the wanted one. */
export function missingModelError(
  call: OllamaCall,
  available: readonly string[] | undefined,
): ChatModelError {
  const nearest = nearestName(call.model, available ?? [])
  const pull = `Run \`ollama pull ${call.model}\``
  return new ChatModelError({
    code: 'chat/model-missing',
    what: `Ollama at ${hostOf(call.host)} has no model "${call.model}".`,
    why:
      available === undefined
        ? 'A model has to be pulled before its first use.'
        : available.length === 0
          ? 'No model has been pulled yet.'
          : `The models there are: ${available.join(', ')}.`,
    instead: nearest === undefined ? `${pull}.` : `${pull}, or use "${nearest}".`,
    details: { host: hostOf(call.host), model: call.model, available: available ?? [] },
  })
}

/** For a 200 whose token count shows that the server dropped a part of the prompt (field report A01). */
export function silentCutError(
  call: OllamaCall,
  estimatedTokens: number,
  inputTokens: number,
): ChatModelError {
  return new ChatModelError({
    code: 'chat/context-overflow',
    what: `Ollama at ${hostOf(call.host)} read ${inputTokens} tokens of a prompt of about ${estimatedTokens}.`,
    why: `The window has ${call.contextWindow} tokens, and this server cuts a longer prompt without a word.`,
    instead: `Shorten the messages, raise contextWindow, or update Ollama (newer versions refuse such a prompt).`,
    details: { host: hostOf(call.host), model: call.model, estimatedTokens, inputTokens },
  })
}

/** For an answer of nothing, cut by its length (field report A03): the same request would end the same way. */
export function exhaustedBudgetError(
  call: OllamaCall,
  budget: {
    readonly inputTokens?: number
    readonly outputTokens?: number
    readonly maxOutputTokens?: number | undefined
  },
  thought: boolean,
): ChatModelError {
  const limit = budget.maxOutputTokens
  const { inputTokens, outputTokens } = budget
  return new ChatModelError({
    code: 'chat/output-budget-exhausted',
    what: `Model "${call.model}" used up its ${outputTokens ?? 0} output tokens without an answer.`,
    why: thought
      ? 'Thinking took them all.'
      : `The prompt took ${inputTokens ?? 'most'} of the ${call.contextWindow} tokens of the window.`,
    instead:
      limit === undefined
        ? `Raise contextWindow (now ${call.contextWindow}), shorten the prompt, or turn thinking off.`
        : `Raise maxOutputTokens (now ${limit}), shorten the prompt, or turn thinking off.`,
    details: { model: call.model, inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 },
  })
}
