import { ChatModelError, type ToolChoice } from '@icm/chat-model'
import { tooEarly } from './nudge.js'
import { countAnswer, type Run, requestOf } from './run-state.js'
import { type Answer, streamAnswer } from './stream-answer.js'

/** What the loop looks at in a `ChatModelError`. */
interface ModelFailure {
  readonly code: string
  readonly what: string
  readonly retryable: boolean
}

/** Failures of an answer after which there may still be something to write the output from. */
const endedEarly: { readonly [code: string]: string } = {
  'chat/context-overflow': 'the conversation no longer fits the window',
  'chat/output-budget-exhausted': 'an answer used up its tokens without a text',
  'chat/server-error': 'the server failed in the middle of the run',
  'chat/stream-corrupt': 'the server failed in the middle of the run',
}

const failedAnswerPrompt =
  'Your last answer could not be read. Answer again, shorter: one tool call with plain arguments, or the final answer.'

/**
 * Asks for the answer of a step. One that failed is asked for once more, never by the same request, which would fail
 * the same way (field reports A03, A09). Returns a reason to end when that was of no use but facts were gathered
 * before, and the run is to end with a synthesis; else throws what the model threw.
 */
export async function ask(run: Run, step: number): Promise<Answer | string> {
  for (;;) {
    try {
      const answer = await streamAnswer(run.options.model, requestOf(run, toolChoiceOf(run)), step, run.emit)
      countAnswer(run, answer)
      return answer
    } catch (error) {
      if (!ChatModelError.isInstance(error) || isOver(run)) throw error
      const changed = changeRequest(run, error)
      if (changed !== undefined) {
        await run.emit({ type: 'retry', step, reason: error.what, ...changed })
        continue
      }
      const reason = endingAfter(run, error)
      if (reason === undefined || run.steps.length === 0 || run.options.onStop !== 'synthesize') throw error
      return reason
    }
  }
}

/** Nothing more is asked then, whatever the error. */
export function isOver({ options, state }: Run): boolean {
  return options.signal?.aborted === true || state.consumerFailed
}

/** The words for an end after this failure, or undefined when nothing can be written any more. */
export function endingAfter(run: Run, error: ModelFailure): string | undefined {
  if (error.code === 'chat/context-overflow') run.state.overflowed = true
  return endedEarly[error.code]
}

/** Makes the next request another one than that which failed; undefined when it has been done before or cannot help. */
function changeRequest(run: Run, error: ModelFailure): { readonly prompt?: string } | undefined {
  const { retries, maxOutputTokens } = run.state
  if (error.code === 'chat/output-budget-exhausted') {
    if (maxOutputTokens === undefined || retries['output-budget']++ > 0) return undefined
    run.state.maxOutputTokens = 2 * maxOutputTokens
    return {}
  }
  if (error.code !== 'chat/server-error' && error.code !== 'chat/stream-corrupt') return undefined
  if (!error.retryable || retries['failed-answer']++ > 0) return undefined
  // The empty answer keeps the roles alternating, as some templates demand.
  run.messages.push({ role: 'assistant', text: '' }, { role: 'user', text: failedAnswerPrompt })
  return { prompt: failedAnswerPrompt }
}

function toolChoiceOf(run: Run): ToolChoice | undefined {
  const early = tooEarly(run)
  if (early?.tool !== undefined) return { name: early.tool }
  return early !== undefined || run.state.mustCall ? 'required' : undefined
}
