import { createHash } from 'node:crypto'
import type { AnyTool } from '@icm/tool-registry'
import { definitionHashOf } from '@icm/tool-registry'
import { systemText } from './run-request.js'
import { type Task, tasks } from './tasks/index.js'
import { toolSet } from './tool-set.js'

export interface PlannedSet {
  readonly tools: number
  readonly repeat: number
  readonly set: readonly AnyTool[]
  readonly requests: readonly PlannedRequest[]
}

interface PlannedRequest {
  readonly task: Task
  /** See `ResultRow.key`. */
  readonly key: string
}

/** All requests of one model, grouped by tool set: equal tools in a row are read by the server once. */
export function planRequests(counts: readonly number[], repeats: number): readonly PlannedSet[] {
  return counts.flatMap((tools) =>
    Array.from({ length: repeats }, (_, index) => {
      const repeat = index + 1
      const set = toolSet(tools, repeat)
      const setHash = set.map((tool) => definitionHashOf(tool)).join()
      const keyOf = (task: Task) =>
        createHash('sha256')
          .update(JSON.stringify([systemText, setHash, task]))
          .digest('hex')
          .slice(0, 16)
      return { tools, repeat, set, requests: tasks.map((task) => ({ task, key: keyOf(task) })) }
    }),
  )
}
