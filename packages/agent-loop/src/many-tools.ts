import { estimateTokens, type ToolSpec } from '@icm/chat-model'
import type { AgentEvent } from './types.js'

/** From this share of the window on, the definitions crowd out the work, and a small model picks wrong (field report B18). */
const largestShare = 0.25

const known = new WeakMap<readonly ToolSpec[], number>()

/** The event that says so; undefined while the tools take less. Counted once for each list. */
export function manyTools(
  specs: readonly ToolSpec[],
  contextWindow: number | undefined,
): Extract<AgentEvent, { type: 'many-tools' }> | undefined {
  if (contextWindow === undefined || specs.length === 0) return undefined
  const tokens = known.get(specs) ?? estimateTokens([], specs)
  known.set(specs, tokens)
  if (tokens <= largestShare * contextWindow) return undefined
  return { type: 'many-tools', tools: specs.length, tokens, contextWindow }
}
