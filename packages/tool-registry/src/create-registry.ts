import type { ToolCall } from '@icm/chat-model'
import { nearestName } from '@icm/errors'
import { ToolRegistryError } from './errors.js'
import { FIND_TOOLS, findToolsTool } from './find-tools.js'
import { createOffer } from './offered-tools.js'
import { type PreparedTool, prepareTool } from './prepare-tool.js'
import { errorResult, unknownTool } from './problems.js'
import { READ_OBSERVATION, readObservationTool } from './read-observation.js'
import { indexNames, resolveName } from './resolve-name.js'
import { runCall } from './run-call.js'
import { createSessionState, isVisible } from './session-state.js'
import type { AnyTool, ToolOutcome, ToolRegistry, ToolRegistryOptions } from './types.js'
import { callKeyOf, understandCall } from './understand-call.js'

const DEFAULT_CONSENT_AT = 10
const DEFAULT_FOUND = 5

/**
 * Makes the set of tools of one session. A tool that the session may not use does not exist in it: not in `specs`,
 * not in lists and suggestions, not callable.
 * Throws `tool/bad-registry` for two tools of one name, a name in `session.only` or `topUp.base` that no tool has, a tool
 * named like one that the registry brings itself, and a `consentAt` that is not a whole number from 1.
 */
export function createToolRegistry(options: ToolRegistryOptions): ToolRegistry {
  const consentAt = options.consentAt ?? DEFAULT_CONSENT_AT
  checkOptions(options, consentAt)
  const session = createSessionState(options, consentAt)
  const visible = new Map<string, PreparedTool>()
  const add = (tool: AnyTool) => visible.set(tool.name, prepareTool(tool, options.aliases))
  for (const tool of options.tools) if (isVisible(tool, options.session ?? {})) add(tool)
  const offer = createOffer(visible, options.topUp)
  if (options.topUp !== undefined)
    add(findToolsTool(visible, options.topUp.found ?? DEFAULT_FOUND, offer.add))
  if (options.observations !== undefined) add(readObservationTool(options.observations))
  const index = indexNames([...visible.values()].map(({ tool }) => tool))
  const find = (called: string, only?: readonly string[]) => {
    const resolved = resolveName(index, called)
    if (resolved === undefined || only?.includes(resolved.name) === false) return undefined
    const prepared = visible.get(resolved.name)
    return prepared && { prepared, nameRepair: resolved.repair }
  }

  return {
    specs: (limits) => offer.specs(limits?.only),
    get: (name) => visible.get(name)?.tool,
    isRepeatable: (toolName) => find(toolName)?.prepared.tool.repeatable === true,
    keyOf: async (call) => {
      const found = find(call.name)
      if (found === undefined) return callKeyOf(call.name, call.arguments)
      return (await understandCall(found.prepared, call)).callKey
    },
    run: async (call, runOptions = {}) => {
      runOptions.signal?.throwIfAborted()
      const found = find(call.name, runOptions.only)
      if (found !== undefined) return runCall({ call, session, ...found }, runOptions)
      return unknownOutcome(
        call,
        offer.specs(runOptions.only).map(({ name }) => name),
      )
    },
  }
}

function unknownOutcome(call: ToolCall, visible: readonly string[]): ToolOutcome {
  return {
    callId: call.id,
    callKey: callKeyOf(call.name, call.arguments),
    toolName: call.name,
    durationMs: 0,
    repairs: [],
    ...errorResult(unknownTool(call.name, visible)),
  }
}

function checkOptions(options: ToolRegistryOptions, consentAt: number): void {
  if (!Number.isInteger(consentAt) || consentAt < 1) {
    throw badRegistry(
      `consentAt was ${consentAt}`,
      'It is a whole number from 1.',
      'Set such a number, or leave it out for 10.',
    )
  }
  const names = new Set<string>()
  for (const { name } of options.tools) {
    if (names.has(name)) {
      throw badRegistry(`two tools are named "${name}"`, 'A name stands for one tool.', 'Rename one of them.')
    }
    names.add(name)
  }
  checkBuiltIn(options, names)
  const missing = options.session?.only?.find((name) => !names.has(name))
  if (missing === undefined) return
  const nearest = nearestName(missing, names)
  throw badRegistry(
    `session.only names "${missing}", which is not among the tools`,
    `The tools are: ${[...names].join(', ') || 'none'}.`,
    nearest === undefined ? 'Name tools of this registry.' : `Did you mean "${nearest}"?`,
  )
}

function checkBuiltIn({ topUp, observations }: ToolRegistryOptions, names: ReadonlySet<string>): void {
  const builtIn = [
    ...(topUp === undefined ? [] : [FIND_TOOLS]),
    ...(observations === undefined ? [] : [READ_OBSERVATION]),
  ]
  const taken = builtIn.find((name) => names.has(name))
  if (taken !== undefined) {
    throw badRegistry(
      `a tool is named "${taken}"`,
      'The registry brings a tool of that name.',
      'Rename yours.',
    )
  }
  const missing = topUp?.base.find((name) => !names.has(name))
  if (missing === undefined) return
  const nearest = nearestName(missing, names)
  throw badRegistry(
    `topUp.base names "${missing}", which is not among the tools`,
    'Base tools are tools of this registry.',
    nearest === undefined ? 'Name tools of this registry.' : `Did you mean "${nearest}"?`,
  )
}

function badRegistry(fault: string, why: string, instead: string): ToolRegistryError {
  return new ToolRegistryError({
    code: 'tool/bad-registry',
    what: `The tool registry was not made: ${fault}.`,
    why,
    instead,
  })
}
