import { IcmError, type JsonObject } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'
import { type AnyTool, defineTool, stripHidden, type Tool, ToolRegistryError } from '@icm/tool-registry'
import { z } from 'zod'
import { type CallTarget, callTool, reportedError } from './call-tool.js'
import { type CallResult, readContent } from './content.js'
import type { ToolDescription } from './list-tools.js'
import { readToolMeta, type ToolMeta } from './tool-meta.js'
import type { ToolGrant } from './types.js'

/** A server's tool and what decides how far it is trusted. */
export interface ServerTool {
  readonly target: CallTarget
  readonly description: ToolDescription
  /** Whether the server's own word on its tools counts. */
  readonly trusted: boolean
  readonly grant?: ToolGrant | undefined
  readonly callTimeoutMs?: number | undefined
}

const MAX_DESCRIPTION_CHARACTERS = 4_000

const problemSchema = z.object({ code: z.string(), what: z.string(), why: z.string(), instead: z.string() })

/**
 * Makes a registry's tool from a server's. What the server declares counts only when it is trusted; a person's grant
 * counts more than either. Without both, every call needs consent: hints of a stranger may raise the need for it,
 * never lower it (F14).
 */
export function makeServerTool(shownName: string, source: ServerTool): AnyTool {
  const { description: definition } = source
  return defineTool({
    ...declarations(source),
    ...(source.callTimeoutMs === undefined ? {} : { timeoutMs: source.callTimeoutMs }),
    name: shownName,
    description: describe(source),
    input: definition.inputSchema as JsonSchema,
    otherNames: [definition.name],
    run: async (input: JsonObject, context) => {
      const call = { name: definition.name, arguments: input }
      return readResult(source, await callTool(source.target, call, context))
    },
  })
}

type Declarations = Omit<Tool<JsonObject>, 'name' | 'description' | 'input' | 'run'>

function declarations({ description, trusted, grant }: ServerTool): Declarations {
  const meta: ToolMeta = trusted ? readToolMeta(description) : {}
  const { radius, effect, idempotent, ...others } = meta
  const isRead = grant === undefined ? effect === 'read' : grant.effect === 'read'
  if (isRead) return { ...others, irreversible: false, idempotent: true, blastRadius: () => 0 }
  return {
    ...others,
    ...(idempotent === undefined ? {} : { idempotent }),
    // `write` is a person's wish to be asked, whatever the server says.
    ...(radius === undefined || grant !== undefined ? {} : { blastRadius: () => radius }),
  }
}

function describe({ target, description }: ServerTool): string {
  const text = stripHidden(description.description ?? '')
    .trim()
    .slice(0, MAX_DESCRIPTION_CHARACTERS)
    .toWellFormed()
  return text === ''
    ? `Tool "${description.name}" of the server "${target.server}"; it has no description.`
    : text
}

function readResult({ target, description, trusted }: ServerTool, result: CallResult): string {
  const text = readContent(result)
  if (result.isError !== true) return text
  if (trusted && result._meta?.['icm/outcome'] === 'in_doubt') {
    throw new ToolRegistryError({
      code: 'tool/outcome-unknown',
      what: `MCP server "${target.server}" answered: ${text}`,
      why: 'It does not know itself whether the call took effect.',
      instead: 'Find out whether it took effect before it is called again.',
    })
  }
  const problem = trusted ? problemSchema.safeParse(result._meta?.['icm/problem']) : undefined
  // A trusted server's own words need no fence; then its tools read the same as those of this process.
  if (problem?.success) throw new IcmError(problem.data)
  throw reportedError(description.name, text === '' ? 'The error has no text.' : text)
}
