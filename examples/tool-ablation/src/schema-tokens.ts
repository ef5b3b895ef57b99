import { type ChatModel, estimateTokens, generate } from '@icm/chat-model'
import type { AnyTool } from '@icm/tool-registry'
import { noteCalls } from './note-calls.js'
import { messagesOf } from './run-request.js'
import type { Task } from './tasks/task.js'

/** The tokens of a task's prompt without tools; undefined when the server does not count. */
export async function bareTokens(
  task: Task,
  model: ChatModel,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const { usage } = await generate(model, {
    messages: messagesOf(task),
    temperature: 0,
    maxOutputTokens: 1,
    ...(signal === undefined ? {} : { signal }),
  })
  return usage.inputTokens
}

/** For servers that do not count: an estimate from the bytes of the schemas. */
export function estimateSchemaTokens(tools: readonly AnyTool[]): number {
  return estimateTokens([], noteCalls(tools).runner.specs())
}
