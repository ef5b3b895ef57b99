import type { ToolOutcome, ToolProgress, ToolRegistry } from '@icm/tool-registry'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describeTool } from './tool-description.js'

export interface McpServerOptions {
  readonly name: string
  readonly version: string
  /** What a client may tell its model about the server as a whole. */
  readonly instructions?: string
}

/**
 * Makes an MCP server that offers the visible tools of a registry: `tools/list`, `tools/call`, progress and
 * cancellation. Connect it to any transport of the SDK, or serve it with `serveStdio`.
 *
 * Whatever a registry returns as data comes back as a result with `isError` (unknown tool, bad arguments, failure,
 * consent needed); `_meta['icm/outcome']` has its status and `_meta['icm/problem']` its parts. Untrusted output is not fenced here: the host, who knows
 * where the text goes, does that.
 */
export function createMcpServer(registry: ToolRegistry, options: McpServerOptions): Server {
  const { name, version, instructions } = options
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  )
  const tools = listTools(registry)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { progressToken } = extra._meta ?? {}
    const call = { id: String(extra.requestId), name: params.name, arguments: params.arguments }
    const outcome = await registry.run(call, {
      signal: extra.signal,
      fence: false,
      onProgress: (progress) => {
        if (progressToken === undefined) return
        const notification = progressNotification(progressToken, progress)
        // A client that is gone ends the call through its signal; here there is nobody left to tell.
        extra.sendNotification(notification).catch(() => {})
      },
    })
    return toCallResult(outcome)
  })
  return server
}

function listTools(registry: ToolRegistry) {
  return registry.specs().map((spec) => {
    const tool = registry.get(spec.name)
    const { meta, annotations } = tool === undefined ? {} : describeTool(tool)
    return {
      name: spec.name,
      description: spec.description,
      inputSchema: { ...spec.inputSchema, type: 'object' as const },
      ...(annotations === undefined ? {} : { annotations }),
      ...(meta === undefined ? {} : { _meta: { 'icm/tool': meta } }),
    }
  })
}

function progressNotification(progressToken: string | number, { done, total, note }: ToolProgress) {
  return {
    method: 'notifications/progress' as const,
    params: {
      progressToken,
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(note === undefined ? {} : { message: note }),
    },
  }
}

function toCallResult(outcome: ToolOutcome) {
  const content = [{ type: 'text' as const, text: outcome.text }]
  if (outcome.status === 'ok') return { content }
  const problem = ownProblem(outcome)
  const meta = { 'icm/outcome': outcome.status, ...(problem === undefined ? {} : { 'icm/problem': problem }) }
  return { content, isError: true, _meta: meta }
}

/** The fault in its parts, for a host that trusts this server; not when the words are those of a third party. */
function ownProblem(outcome: ToolOutcome) {
  if (!('problem' in outcome) || outcome.problem.details?.cause === 'tool/reported-error') return undefined
  const { code, what, why, instead, details } = outcome.problem
  return { code: typeof details?.cause === 'string' ? details.cause : code, what, why, instead }
}
