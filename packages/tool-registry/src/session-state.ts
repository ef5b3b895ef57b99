import type { ObservationStore } from './observation-store.js'
import type { AnyTool, Decision, EffectOptions, ToolRegistryOptions, ToolSession } from './types.js'

/** What the calls of one registry share. */
export interface SessionState {
  readonly consentAt: number
  readonly effects?: EffectOptions | undefined
  readonly observations?: ObservationStore | undefined
  readonly roots: readonly string[]
  /** Foreign texts that the session has read. */
  readonly readBefore: Set<string>
  /** Decisions that have let a call run. */
  readonly usedDecisions: WeakSet<Decision>
}

export function createSessionState(options: ToolRegistryOptions, consentAt: number): SessionState {
  return {
    consentAt,
    effects: options.effects,
    observations: options.observations,
    roots: options.roots ?? [],
    readBefore: new Set(options.session?.readBefore),
    usedDecisions: new WeakSet(),
  }
}

/** Whether a tool exists in a session. */
export function isVisible(tool: AnyTool, session: ToolSession): boolean {
  if (session.only !== undefined && !session.only.includes(tool.name)) return false
  if (tool.irreversible === true && session.irreversible?.includes(tool.name) === false) return false
  return session.trust === 'host' || tool.trust === 'sandbox'
}

const MAX_SOURCES = 5

/**
 * Notes that a model has been given foreign text: the host of the address that was read, else the tool. What such a
 * text asks for must not happen without a person (field report G11).
 */
export function noteForeignText(
  state: SessionState,
  tool: AnyTool,
  input: Readonly<Record<string, unknown>>,
): void {
  if (tool.output === 'trusted' || state.readBefore.size >= MAX_SOURCES) return
  const addresses = (tool.addressParameters ?? []).map((parameter) => input[parameter])
  const hosts = addresses.flatMap((address) => {
    const host = typeof address === 'string' && URL.canParse(address) ? new URL(address).host : ''
    return host === '' ? [] : [host]
  })
  for (const source of hosts.length > 0 ? hosts : [tool.name]) state.readBefore.add(source)
}
