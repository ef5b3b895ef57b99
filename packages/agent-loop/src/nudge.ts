import { type Run, wasRun } from './run-state.js'
import type { TooEarly } from './types.js'

export type NudgeReason = 'empty' | 'invented-result' | 'too-early'

const maxNudges = { empty: 1, 'invented-result': 2, 'too-early': 3 } as const

const prompts = {
  empty:
    'Your last answer was empty. Call a tool, or write the whole final answer as it was asked for at the beginning.',
  'invented-result':
    'That was no result of a tool: you wrote it yourself. Only tools write results. Call a tool now, with one tool call and nothing else, or write the final answer from the results above.',
} as const

/**
 * A blank turn is not the end (field report B05, and small models after a tool result), and neither is an invented
 * tool result or a text from memory: asked once more, each kind at most `maxNudges` times. Returns why the run ends
 * when that was of no use, and at once when the model has looked up what it had to: then only the text is missing, and a
 * synthesis asks for it.
 */
export async function nudge(
  run: Run,
  step: number,
  reason: NudgeReason,
  early: TooEarly | undefined,
): Promise<string | undefined> {
  if (reason === 'empty' && hasLookedUp(run)) return 'the model answered with nothing after its tool calls'
  const count = ++run.state.nudges[reason]
  if (count > maxNudges[reason]) {
    return reason === 'empty'
      ? 'the model answered with nothing, twice'
      : 'the model kept inventing tool results'
  }
  run.state.mustCall = reason !== 'empty'
  const prompt = promptOf(run, reason, early)
  run.messages.push({ role: 'user', text: prompt })
  await run.emit({ type: 'nudge', step, reason, prompt })
  return undefined
}

function hasLookedUp({ options, steps }: Run): boolean {
  if (options.onStop !== 'synthesize' || options.tooEarly === undefined) return false
  const ran = steps.some((step) => step.tools.some(wasRun))
  return ran && options.tooEarly(steps) === undefined
}

function promptOf(run: Run, reason: NudgeReason, early: TooEarly | undefined): string {
  if (reason === 'too-early' && early !== undefined) return early.prompt
  if (reason === 'invented-result') return prompts['invented-result']
  return run.options.emptyPrompt ?? prompts.empty
}

/** Why an answer would come too early; undefined without tools, and once the model has been told often enough. */
export function tooEarly(run: Run): TooEarly | undefined {
  if (run.specs.length === 0 || run.state.nudges['too-early'] >= maxNudges['too-early']) return undefined
  return run.options.tooEarly?.(run.steps)
}
