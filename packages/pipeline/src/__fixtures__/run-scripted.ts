import { type ScriptedStep, scripted } from '@icm/chat-model/testing'
import { runPipeline } from '../run-pipeline.js'
import { readStatus } from '../stage-status.js'
import type { PipelineEvent, PipelineOptions } from '../types.js'
import type { TestWorkspace } from './test-workspace.js'

/** One call of the pipeline on a scripted model; every step must be used. */
export async function run(
  place: TestWorkspace,
  steps: readonly ScriptedStep[],
  options: Partial<PipelineOptions> = {},
) {
  const events: PipelineEvent[] = []
  const model = scripted(steps, { contextWindow: 8192 })
  const result = await runPipeline({
    workspace: await place.open(),
    model,
    ...options,
    onEvent: (event) => {
      events.push(event)
    },
  })
  model.assertDone()
  return { events, result, model }
}

/** The states of all stages, in order. */
export async function states(place: TestWorkspace) {
  return (await readStatus(await place.open())).map((status) => status.state)
}

/** Three answers for the modules of `threeModules`. */
export const drafts = [
  '## Module 1: Tea\n\nPick.',
  '## Module 2: Milk\n\nPour.',
  '## Module 3: Cups\n\nWash.',
] as const
