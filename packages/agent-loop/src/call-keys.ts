import { hash } from 'node:crypto'
import type { ToolCall } from '@icm/chat-model'
import { canonicalJson } from '@icm/json-schema'
import type { ToolRunner } from './types.js'

/** The keys by which equal calls are known. */
export interface CallKeys {
  /** Before the call runs. */
  of(call: ToolCall): string | Promise<string>
  /** After it ran: takes the runner's key, if it gave one, and returns the key that the call is known by. */
  learn(call: ToolCall, key: string): string
}

/**
 * Asks the runner's `keyOf`; without one, knows a call by the runner's answer to one that was written the same, else
 * by what was written.
 */
export function createCallKeys(tools: ToolRunner): CallKeys {
  if (tools.keyOf !== undefined)
    return { of: (call) => tools.keyOf?.(call) ?? writtenKey(call), learn: (_, key) => key }
  const written = new WeakMap<ToolCall, string>()
  const answered = new Map<string, string>()
  const keyOf = (call: ToolCall) => {
    const key = written.get(call) ?? writtenKey(call)
    written.set(call, key)
    return key
  }
  return {
    of: (call) => answered.get(keyOf(call)) ?? keyOf(call),
    learn(call, key) {
      const known = answered.get(keyOf(call))
      if (known === undefined) answered.set(keyOf(call), key)
      return known ?? key
    },
  }
}

/** Readable while it is short. */
function writtenKey(call: ToolCall): string {
  const written = canonicalJson([call.name, call.arguments ?? null])
  return written.length <= longestKey ? written : hash('sha256', written)
}

const longestKey = 200
