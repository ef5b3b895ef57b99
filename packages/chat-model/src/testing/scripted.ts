import { ChatModelError } from '../errors.js'
import type { AssistantMessage, ChatEvent, ChatModel, ChatRequest, FinishReason, Usage } from '../types.js'

/** One answer: a text, a whole message, an error to throw, or a function of the request that gives one of them. */
export type ScriptedStep =
  | string
  | AssistantMessage
  | Error
  | ((request: ChatRequest) => string | AssistantMessage | Error | Promise<string | AssistantMessage | Error>)

export interface ScriptedModel extends ChatModel {
  /** Every request so far, with its messages as they were when it came. */
  readonly requests: readonly ChatRequest[]
  /** Throws `chat/script-mismatch` when steps are left over, or when there were more requests than steps. */
  assertDone(): void
}

export interface ScriptedOptions {
  /** Default `'scripted'`. */
  readonly id?: string
  readonly contextWindow?: number
  /** Reported with every answer; default: one input token a message, one output token a word. */
  readonly usage?: Usage
  /** Default: `'tool-calls'` for a message with calls, else `'stop'`. */
  readonly reason?: FinishReason
}

/**
 * A model that answers from a script, one step a request, in order. Texts are streamed word by word.
 *
 * A request beyond the script throws `chat/script-mismatch`. The signal is looked at before every event.
 */
export function scripted(steps: readonly ScriptedStep[], options: ScriptedOptions = {}): ScriptedModel {
  const requests: ChatRequest[] = []

  async function* stream(request: ChatRequest): AsyncGenerator<ChatEvent, void, void> {
    request.signal?.throwIfAborted()
    requests.push({ ...request, messages: [...request.messages] })
    const step = steps[requests.length - 1]
    if (step === undefined) throw surplus(requests.length, steps.length)
    const answer = typeof step === 'function' ? await step(request) : step
    request.signal?.throwIfAborted()
    if (answer instanceof Error) throw answer
    const message: AssistantMessage =
      typeof answer === 'string' ? { role: 'assistant', text: answer } : answer
    for (const event of eventsOf(message, request, options)) {
      request.signal?.throwIfAborted()
      yield event
    }
  }

  return {
    id: options.id ?? 'scripted',
    ...(options.contextWindow === undefined ? {} : { contextWindow: options.contextWindow }),
    stream,
    requests,
    assertDone() {
      if (requests.length > steps.length) throw surplus(requests.length, steps.length)
      if (requests.length < steps.length) throw leftOver(requests.length, steps.length)
    },
  }
}

function eventsOf(message: AssistantMessage, request: ChatRequest, options: ScriptedOptions): ChatEvent[] {
  const calls = message.toolCalls ?? []
  const usage = options.usage ?? {
    inputTokens: request.messages.length,
    outputTokens: words(message.text).length,
  }
  return [
    ...words(message.reasoning ?? '').map((text) => ({ type: 'reasoning-delta' as const, text })),
    ...words(message.text).map((text) => ({ type: 'text-delta' as const, text })),
    ...calls.map((call) => ({ type: 'tool-call' as const, call })),
    { type: 'finish', reason: options.reason ?? (calls.length > 0 ? 'tool-calls' : 'stop'), message, usage },
  ]
}

function words(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? []
}

function surplus(requests: number, steps: number): ChatModelError {
  return new ChatModelError({
    code: 'chat/script-mismatch',
    what: `Request ${requests} came to a script of ${steps} steps.`,
    why: 'A scripted model answers exactly as often as it has steps.',
    instead: 'Add a step, or find out why the model was asked again.',
    details: { requests, steps },
  })
}

function leftOver(requests: number, steps: number): ChatModelError {
  return new ChatModelError({
    code: 'chat/script-mismatch',
    what: `Only ${requests} of ${steps} steps were asked for.`,
    why: 'Every step of a script has to be used.',
    instead: 'Remove the surplus steps, or find out why the model was not asked.',
    details: { requests, steps },
  })
}
