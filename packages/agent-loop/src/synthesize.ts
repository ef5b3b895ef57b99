import { ChatModelError, looksLikeToolCall } from '@icm/chat-model'
import { endingAfter, isOver } from './ask.js'
import { compactIfNeeded } from './compact-run.js'
import { countAnswer, type Run, requestOf, resultOf } from './run-state.js'
import { streamAnswer } from './stream-answer.js'
import type { AgentResult } from './types.js'

/** The last user message of a run that is cut short, unless the caller words its own. */
export const defaultSynthesizePrompt =
  'Stop using tools now. Write the final output from what you have gathered above. State what is missing instead of inventing it.'

/**
 * Ends a run that is cut short: one last request that allows no call, same model and settings, asks to write the output from
 * what was gathered (field report C01). Blank, call-shaped or failed, it gives no output: then the run is `stopped`
 * with its reason, and the messages and steps keep what was gathered.
 */
export async function synthesize(run: Run, reason: string): Promise<AgentResult> {
  const prompt = run.options.synthesizePrompt ?? defaultSynthesizePrompt
  await run.emit({ type: 'synthesis-start', reason, prompt })
  run.messages.push({ role: 'user', text: prompt })
  const failure = await writeLastAnswer(run)
  const last = run.messages.at(-1)
  if (failure !== undefined || last?.role !== 'assistant') {
    return {
      ...resultOf(run, 'stopped', ''),
      stopReason: `${reason}; then the final answer failed: ${failure}`,
    }
  }
  const usable = last.text.trim() !== '' && looksLikeToolCall(last.text) === undefined
  return { ...resultOf(run, usable ? 'synthesized' : 'stopped', usable ? last.text : ''), stopReason: reason }
}

/** Returns what went wrong, when facts are at stake that a throw would lose. */
async function writeLastAnswer(run: Run): Promise<string | undefined> {
  const step = run.steps.length + 1
  let failure: string | undefined
  for (;;) {
    const shortened = await compactIfNeeded(run)
    if (failure !== undefined && !shortened) return failure
    try {
      const answer = await streamAnswer(run.options.model, requestOf(run, 'none'), step, run.emit)
      countAnswer(run, answer)
      const { toolCalls: _, ...message } = answer.message
      run.messages.push(message)
      await run.emit({ type: 'message-end', step, message, reason: answer.reason, usage: answer.usage })
      return undefined
    } catch (error) {
      if (!ChatModelError.isInstance(error) || isOver(run)) throw error
      if (endingAfter(run, error) === undefined) throw error
      if (error.code !== 'chat/context-overflow' || failure !== undefined) return error.what
      failure = error.what
    }
  }
}
