import { nearestName } from '@icm/errors'
import { ChatModelError } from '../errors.js'
import { hostOf } from './http-errors.js'
import { type RefusalKind, serverRefusal } from './server-refusal.js'

/** Where and what was asked, for error texts. */
export interface OpenAiCall {
  readonly url: URL
  readonly model: string
  readonly contextWindow?: number | undefined
}

/**
 * Sorts a refusal by its text first and its status second: every server has its own statuses (llama-server answers 500
 * for a model without tools), and an error in the middle of a stream may have none.
 */
export function classifyOpenAiError(
  text: string,
  status: number | undefined,
  call: OpenAiCall,
): ChatModelError {
  const kind = kinds.find((candidate) => candidate.pattern.test(text)) ?? byStatus[status ?? 0]
  return serverRefusal({ who: 'The server', host: call.url, text, status, call, kind })
}

const kinds: readonly RefusalKind<OpenAiCall>[] = [
  {
    // llama-server; vLLM (two wordings); Ollama.
    pattern:
      /exceeds? (?:the |its )?(?:available )?context|maximum (?:context|model) length|longer than the maximum|context (?:length|window|size) exceeded|context_length_exceeded|exceed_context_size|input length exceeds/i,
    code: 'chat/context-overflow',
    why: 'Prompt, tools and answer have to fit into the window.',
    instead: ({ contextWindow }) =>
      `Shorten the messages, or start the server with a larger window${now(contextWindow)} (llama-server -c, vLLM --max-model-len, OLLAMA_CONTEXT_LENGTH).`,
    retryable: false,
  },
  {
    pattern:
      /does not support tools|requires? --jinja|requires? --enable-auto-tool-choice|tool use is not supported|unsupported param: tool/i,
    code: 'chat/no-tool-support',
    why: 'The model, or the server as it was started, takes no tools.',
    instead: () =>
      'Start llama-server with --jinja, vLLM with --enable-auto-tool-choice and --tool-call-parser, or use a model with tools.',
    retryable: false,
  },
  {
    pattern: /does not support thinking|think value .* is not supported|invalid reasoning value/i,
    code: 'chat/no-thinking-support',
    why: 'This model cannot think, or not at that level.',
    instead: () => 'Leave out the option reasoningEffort.',
    retryable: false,
  },
  {
    pattern:
      /out of memory|(?:more|insufficient) (?:system |gpu )?memory|(?:allocate|commit) memory|cudaMalloc failed|signal: killed/i,
    code: 'chat/out-of-memory',
    why: 'The model with its window does not fit into the memory of the server.',
    instead: () => 'Start the server with a smaller window, or use a smaller model.',
    retryable: false,
  },
  {
    pattern:
      /server busy|maximum pending requests|loading model|model is loading|overloaded|request canceled/i,
    code: 'chat/server-error',
    why: 'The server has too much to do, or loads its model.',
    instead: () => 'Wait a little, then repeat the call.',
    retryable: true,
  },
]

const key: Omit<RefusalKind<OpenAiCall>, 'pattern'> = {
  code: 'chat/bad-request',
  why: 'The server wants an API key, and this one it does not take.',
  instead: () => 'Set the option apiKey to the key that the server was started with.',
  retryable: false,
}

const byStatus: { readonly [status: number]: Omit<RefusalKind<OpenAiCall>, 'pattern'> } = {
  401: key,
  403: key,
}

function now(contextWindow: number | undefined): string {
  return contextWindow === undefined ? '' : ` (now ${contextWindow} tokens)`
}

/** For a 404: says which models are there, and which of them was probably meant. */
export function missingOpenAiModel(
  call: OpenAiCall,
  available: readonly string[] | undefined,
): ChatModelError {
  const nearest = nearestName(call.model, available ?? [])
  return new ChatModelError({
    code: 'chat/model-missing',
    what: `The server at ${hostOf(call.url)} has no model "${call.model}".`,
    why:
      available === undefined || available.length === 0
        ? 'It does not say which models it has.'
        : `The models there are: ${available.join(', ')}.`,
    instead:
      nearest === undefined
        ? `Load "${call.model}" on the server, or name one that is there.`
        : `Use "${nearest}", or load "${call.model}" on the server.`,
    details: { host: hostOf(call.url), model: call.model, available: available ?? [] },
  })
}

/** For a server that answers, but not as an OpenAI-compatible one does. */
export function notOpenAi(
  url: URL,
  answer: { readonly status?: number; readonly location?: string | undefined; readonly cause?: unknown },
): ChatModelError {
  const { status, location, cause } = answer
  const redirects = status !== undefined && status >= 300 && status < 400
  return new ChatModelError(
    {
      code: 'chat/server-error',
      what: `The server at ${hostOf(url)} does not answer ${url.pathname} as an OpenAI-compatible server does${status === undefined ? '' : ` (status ${status})`}.`,
      why: redirects
        ? `It redirects${location === undefined ? '' : ` to ${location}`}, and redirects are not followed.`
        : 'The base URL may lack its /v1, or another program listens on that port.',
      instead: 'Check the option baseUrl.',
      details: { host: hostOf(url), path: url.pathname },
    },
    { cause },
  )
}

/** For a 200 whose token count shows that the server dropped a part of the prompt (field report A01). */
export function silentOpenAiCut(
  call: OpenAiCall,
  estimatedTokens: number,
  inputTokens: number,
): ChatModelError {
  return new ChatModelError({
    code: 'chat/context-overflow',
    what: `The server at ${hostOf(call.url)} read ${inputTokens} tokens of a prompt of about ${estimatedTokens}.`,
    why: `The window has ${call.contextWindow ?? 'fewer'} tokens, and this server cuts a longer prompt without a word.`,
    instead:
      'Shorten the messages, start the server with a larger window, or use @icm/chat-model/ollama, which makes Ollama refuse it.',
    details: { host: hostOf(call.url), model: call.model, estimatedTokens, inputTokens },
  })
}

/** For an answer of nothing, cut by its length (field report A03): the same request would end the same way. */
export function exhaustedOpenAiBudget(
  call: OpenAiCall,
  maxOutputTokens: number | undefined,
  usage: { readonly inputTokens?: number; readonly outputTokens?: number },
  thought: boolean,
): ChatModelError {
  return new ChatModelError({
    code: 'chat/output-budget-exhausted',
    what: `Model "${call.model}" used up its ${usage.outputTokens ?? 0} output tokens without an answer.`,
    why: thought ? 'Thinking took them all.' : 'The prompt left no room, or too few tokens were allowed.',
    instead:
      maxOutputTokens === undefined
        ? 'Shorten the prompt, start the server with a larger window, or turn thinking off.'
        : `Raise maxOutputTokens (now ${maxOutputTokens}), shorten the prompt, or turn thinking off.`,
    details: { model: call.model, ...usage },
  })
}

/** The text of an error in any of the shapes that servers have. */
export function openAiErrorText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, detail } = value as { error?: unknown; message?: unknown; detail?: unknown }
  if (error !== undefined && error !== null) return openAiErrorText(error) ?? JSON.stringify(error)
  if (typeof message === 'string') return message
  if (detail === undefined) return undefined
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}
