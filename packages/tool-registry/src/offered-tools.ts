import type { ToolSpec } from '@icm/chat-model'
import { FIND_TOOLS } from './find-tools.js'
import type { PreparedTool } from './prepare-tool.js'
import { READ_OBSERVATION } from './read-observation.js'
import type { TopUpOptions } from './types.js'

/** What a model is shown of the visible tools. */
export interface Offer {
  /** The offered tools; with `only`, those of that list that are visible, in the order of the registry. */
  specs(only?: readonly string[]): readonly ToolSpec[]
  /** Offers more, behind what is offered already, so that what was sent before stays a prefix. */
  add(names: readonly string[]): void
}

/** All visible tools, or with a top-up the base tools, `find_tools` and what it has found. */
export function createOffer(
  visible: ReadonlyMap<string, PreparedTool>,
  topUp: TopUpOptions | undefined,
): Offer {
  const found = new Set<string>()
  let positions: ReadonlyMap<string, number> | undefined
  let offered: readonly ToolSpec[] | undefined
  const list = () => {
    if (topUp === undefined) return [...visible.values()].map(({ spec }) => spec)
    // What the registry brings itself stands behind the base tools; a base tool that the session hides is left out.
    const names = new Set([...topUp.base, FIND_TOOLS, READ_OBSERVATION, ...found])
    return [...names].flatMap((name) => visible.get(name)?.spec ?? [])
  }
  return {
    specs: (only) => {
      if (only === undefined) {
        const specs = offered ?? Object.freeze(list())
        offered = specs
        return specs
      }
      positions ??= new Map([...visible.keys()].map((name, position) => [name, position]))
      const known = [...new Set(only)].filter((name) => visible.has(name))
      const at = (name: string) => positions?.get(name) ?? 0
      return known
        .sort((left, right) => at(left) - at(right))
        .flatMap((name) => visible.get(name)?.spec ?? [])
    },
    add: (names) => {
      for (const name of names) found.add(name)
      offered = undefined
    },
  }
}
