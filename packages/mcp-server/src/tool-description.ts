import type { AnyTool } from '@icm/tool-registry'

/**
 * What MCP's own annotations cannot say, sent with each tool as `_meta['icm/tool']`. A host may act on it for
 * servers that it trusts. Absent: not declared.
 */
export interface IcmToolMeta {
  readonly effect: 'read' | 'write'
  /** Objects that every call changes, where that does not depend on the arguments. */
  readonly radius?: number
  readonly limit?: number
  readonly whenTrimmed?: string
  readonly idempotent: boolean
  readonly repeatable: boolean
  readonly irreversible: boolean
  readonly trust: 'host' | 'sandbox'
  readonly output: 'trusted' | 'untrusted'
  readonly timeoutMs?: number
  readonly maxDurationMs?: number
  readonly addressParameters: readonly string[]
  readonly aliases: { readonly [parameter: string]: readonly string[] }
}

/** MCP's hints, only those that the declaration supports; what is unknown stays out, which clients read as the worst. */
export interface ToolHints {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

/** Collects what a tool declares. */
export function describeTool(tool: AnyTool): { readonly meta: IcmToolMeta; readonly annotations: ToolHints } {
  const radius = constantRadius(tool)
  const isRead = radius === 0 && tool.irreversible !== true
  const { limit, whenTrimmed, timeoutMs, maxDurationMs } = tool
  const meta: IcmToolMeta = {
    effect: isRead ? 'read' : 'write',
    ...(radius === undefined ? {} : { radius }),
    ...(limit === undefined ? {} : { limit }),
    ...(whenTrimmed === undefined ? {} : { whenTrimmed }),
    idempotent: tool.idempotent === true,
    repeatable: tool.repeatable === true,
    irreversible: tool.irreversible === true,
    trust: tool.trust ?? 'host',
    output: tool.output ?? 'untrusted',
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
    addressParameters: tool.addressParameters ?? [],
    aliases: tool.aliases ?? {},
  }
  const annotations: ToolHints = {
    ...(radius === undefined ? {} : { readOnlyHint: isRead }),
    ...(isRead ? { destructiveHint: false } : tool.irreversible === true ? { destructiveHint: true } : {}),
    ...(tool.idempotent === undefined ? {} : { idempotentHint: tool.idempotent }),
  }
  return { meta, annotations }
}

/** The radius of a tool whose function takes no arguments: then it is the same for every call. */
function constantRadius(tool: AnyTool): number | undefined {
  if (tool.blastRadius === undefined || tool.blastRadius.length > 0) return undefined
  try {
    const radius = tool.blastRadius({}, { signal: new AbortController().signal })
    return typeof radius === 'number' && Number.isInteger(radius) && radius >= 0 ? radius : undefined
  } catch {
    return undefined
  }
}
