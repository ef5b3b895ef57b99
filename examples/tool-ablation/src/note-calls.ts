import type { ToolRunner } from '@icm/agent-loop'
import { type AnyTool, createToolRegistry, type ToolOutcome } from '@icm/tool-registry'

/** A call as the registry understood it. */
export interface NotedCall {
  readonly outcome: ToolOutcome
  /** The effective arguments, undefined when they were refused. */
  readonly input: { readonly [parameter: string]: unknown } | undefined
}

/**
 * Offers the tools exactly as they are, but only notes what is called: every request meets the same folder, and no
 * model can rename anything here.
 */
export function noteCalls(tools: readonly AnyTool[]): {
  readonly runner: ToolRunner
  readonly calls: readonly NotedCall[]
} {
  const calls: NotedCall[] = []
  let input: NotedCall['input']
  const noted = tools.map(
    (tool): AnyTool => ({
      ...tool,
      blastRadius: () => 0,
      run: (given) => {
        input = given as NotedCall['input']
        return 'Noted.'
      },
    }),
  )
  const registry = createToolRegistry({ tools: noted, session: { trust: 'host' } })
  const runner: ToolRunner = {
    specs: () => registry.specs(),
    run: async (call, { signal }) => {
      input = undefined
      const outcome = await registry.run(call, signal === undefined ? {} : { signal })
      calls.push({ outcome, input })
      return outcome
    },
  }
  return { runner, calls }
}
