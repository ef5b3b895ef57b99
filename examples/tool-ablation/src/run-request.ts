import { maxSteps, runAgent } from '@icm/agent-loop'
import type { ChatModel, Message } from '@icm/chat-model'
import type { AnyTool } from '@icm/tool-registry'
import { matchesGiven } from './matches-given.js'
import { noteCalls } from './note-calls.js'
import type { ResultRow } from './results.js'
import type { Task } from './tasks/task.js'
import { timedModel } from './timed-model.js'

export const systemText =
  'You work with the documents of one folder. Answer each request by calling the one tool that fits it.'

const MOST_OUTPUT_TOKENS = 200

export type RequestResult = Pick<
  ResultRow,
  'chosen' | 'unknown' | 'wrongArguments' | 'how' | 'firstTokenMs' | 'elapsedMs' | 'inputTokens'
>

export function messagesOf(task: Task): readonly Message[] {
  return [
    { role: 'system', text: systemText },
    { role: 'user', text: task.user },
  ]
}

/**
 * Asks once, at temperature 0; the first call of the first answer counts, also when its arguments are refused. A name that
 * the registry understands, such as one in another case, is the tool that it means.
 */
export async function runRequest(
  task: Task,
  tools: readonly AnyTool[],
  { model, signal }: { readonly model: ChatModel; readonly signal?: AbortSignal },
): Promise<RequestResult> {
  const { runner, calls } = noteCalls(tools)
  const timed = timedModel(model)
  const startedAt = performance.now()
  const { steps } = await runAgent({
    model: timed.model,
    tools: runner,
    messages: messagesOf(task),
    stopWhen: maxSteps(1),
    temperature: 0,
    maxOutputTokens: MOST_OUTPUT_TOKENS,
    ...(signal === undefined ? {} : { signal }),
  })
  const elapsedMs = performance.now() - startedAt
  const { usage, firstEventMs } = timed.times
  const call = calls[0]
  return {
    ...(call === undefined ? {} : judge(task, call)),
    how: call === undefined ? 'none' : steps[0]?.tools[0]?.recovered === true ? 'recovered' : 'native',
    firstTokenMs: Math.round(
      usage?.promptMs === undefined ? (firstEventMs ?? elapsedMs) : usage.promptMs + (usage.loadMs ?? 0),
    ),
    elapsedMs: Math.round(elapsedMs),
    ...(usage?.inputTokens === undefined ? {} : { inputTokens: usage.inputTokens }),
  }
}

type Judged = Pick<ResultRow, 'chosen' | 'unknown' | 'wrongArguments'>

function judge(task: Task, { outcome, input }: ReturnType<typeof noteCalls>['calls'][number]): Judged {
  if (outcome.status === 'error' && outcome.problem.code === 'tool/unknown')
    return { unknown: outcome.toolName }
  if (outcome.toolName !== task.expected) return { chosen: outcome.toolName }
  return { chosen: outcome.toolName, wrongArguments: input === undefined || !matchesGiven(task, input) }
}
