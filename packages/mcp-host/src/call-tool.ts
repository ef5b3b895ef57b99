import type { JsonObject } from '@icm/errors'
import { type ToolContext, ToolRegistryError } from '@icm/tool-registry'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { z } from 'zod'
import type { CallResult } from './content.js'
import { serverGone } from './stdio-transport.js'

/** A connected server's side of a call. */
export interface CallTarget {
  readonly server: string
  readonly client: Client
  /** How the server ended; undefined while it runs. */
  readonly ended: () => string | undefined
}

const callResultSchema = z.looseObject({
  content: z.array(z.unknown()).optional().catch(undefined),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
  _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

// It is sent to the server, so it says nothing about this side (F18).
const CANCEL_REASON = 'The client cancelled the call.'
// The registry keeps the time (progress included) and aborts; the SDK's own clock must not fire before it.
const NO_TIMEOUT_MS = 2_147_483_647
// JSON-RPC's own refusals: parse error, invalid request, unknown method, invalid parameters. Nothing was executed.
const REFUSALS = [-32700, -32600, -32601, -32602]

/**
 * Calls a tool. An abort of the context's signal is passed on to the server and rethrown. Throws
 * - `mcp/server-gone` when the call was not sent;
 * - `tool/reported-error` when the server refused it;
 * - `tool/outcome-unknown` for every other failure after sending: the effect may have happened (C06).
 */
export async function callTool(
  target: CallTarget,
  call: { readonly name: string; readonly arguments: JsonObject },
  context: ToolContext,
): Promise<CallResult> {
  context.signal.throwIfAborted()
  const ended = target.ended()
  if (ended !== undefined) throw serverGone(target.server, ended)
  const cancel = new AbortController()
  const onAbort = () => cancel.abort(CANCEL_REASON)
  context.signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await target.client.request({ method: 'tools/call', params: call }, callResultSchema, {
      signal: cancel.signal,
      timeout: NO_TIMEOUT_MS,
      // Without a callback the SDK sends no progress token, and a server then reports none (F01).
      onprogress: ({ progress, total, message }) =>
        context.onProgress?.({
          done: progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { note: message }),
        }),
      resetTimeoutOnProgress: true,
    })
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    throw explainFailure(target, call.name, error)
  } finally {
    context.signal.removeEventListener('abort', onAbort)
  }
}

function explainFailure(target: CallTarget, tool: string, error: unknown): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'mcp/server-gone') return error
  const message = error instanceof Error ? error.message : String(error)
  if (message === 'Not connected') return serverGone(target.server, target.ended())
  if (error instanceof Error && 'code' in error && REFUSALS.includes(Number(error.code))) {
    return reportedError(tool, message.replace(/^MCP error -\d+: /, ''), error)
  }
  const ended = target.ended()
  return new ToolRegistryError(
    {
      code: 'tool/outcome-unknown',
      what:
        ended === undefined
          ? `MCP server "${target.server}" did not answer in a way that can be read.`
          : `MCP server "${target.server}" ${ended} during the call.`,
      why: 'The call had been sent, so it may have taken effect.',
      instead: 'Find out whether it took effect before it is called again.',
    },
    { cause: error },
  )
}

/** The server's own word that the call failed; the text is shown like any other output of the tool. */
export function reportedError(tool: string, text: string, cause?: unknown): ToolRegistryError {
  return new ToolRegistryError(
    {
      code: 'tool/reported-error',
      what: `Tool "${tool}" answered with an error.`,
      why: 'The server marked the result of this call as an error.',
      instead: 'Read what it says, then change the arguments or go on without it.',
      details: { text },
    },
    { cause },
  )
}
