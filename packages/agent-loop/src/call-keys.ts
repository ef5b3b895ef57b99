import type { ToolCall } from '@icm/chat-model'
import { hashJson } from '@icm/json-schema'
import type { ToolRunner } from './types.js'

/** The keys by which equal calls are known. */
export interface CallKeys {
  /** Before the call runs. */
  of(call: ToolCall): Promise<string>
  /** After it ran: takes the runner's key and returns the one that the call is known by. */
  learn(call: ToolCall, key: string): string
}

/** Asks the runner's `keyOf`; without one, knows a call by the runner's answer to one that was
 * written the same, else by what was written. */
export function createCallKeys(tools: ToolRunner): CallKeys {
  const answered = new Map<string, string>()
  return {
    async of(call) {
      if (tools.keyOf !== undefined) return tools.keyOf(call)
      const written = writtenKey(call)
      return answered.get(written) ?? written
    },
    learn(call, key) {
      if (tools.keyOf !== undefined) return key
      const written = writtenKey(call)
      if (!answered.has(written)) answered.set(written, key)
      return answered.get(written) ?? key
    },
  }
}

function writtenKey(call: ToolCall): string {
  return hashJson([call.name, call.arguments ?? null]).slice(0, 16)
}
