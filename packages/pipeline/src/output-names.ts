import {
  type LoadProblem,
  placeholderValues,
  type ResolvedOutput,
  resolveInput,
  resolveOutputs,
  type StageContext,
  type Workspace,
} from '@icm/context-loader'
import { readProvenance, workspacePath } from './provenance.js'
import { runStartedAt } from './run-record.js'
import { stateFolder } from './state-folder.js'

/** A stage's outputs with the names that they have in this attempt, and those that cannot be named or written. */
export interface NamedOutputs {
  readonly outputs: readonly ResolvedOutput[]
  readonly faults: readonly LoadProblem[]
}

/**
 * Fills the placeholders in the names of a stage's outputs: the slug from the run's input, the date from the run's start, others as
 * the workspace says. A file of that pattern that is there already keeps its name, so that what was written stays found when
 * the day or the input changes; of several the one that the stage's provenance names. `again`: the stage runs anew, and is named anew.
 */
export async function nameOutputs(
  workspace: Workspace,
  { stage, contract }: StageContext,
  { again = false }: { readonly again?: boolean } = {},
): Promise<NamedOutputs> {
  const plain = !contract.outputs.some((output) => /[[<{]|YYYY/.test(output.path))
  const values = plain
    ? {}
    : await placeholderValues(workspace, { date: await runStartedAt(stateFolder(workspace)) })
  const { outputs, problems } = await resolveOutputs(workspace, stage, contract, { values })
  const named: ResolvedOutput[] = []
  const settled = new Set<string>()
  for (const output of outputs) {
    const found = output.templated && !again ? await findWritten(workspace, stage, output) : undefined
    if (found !== undefined) settled.add(output.label)
    named.push(found === undefined ? output : { ...output, path: found })
  }
  const faults = problems.filter(
    ({ severity, code, details }) =>
      severity === 'error' || (code === 'context/templated-output' && !settled.has(String(details?.path))),
  )
  return { outputs: named, faults }
}

async function findWritten(
  workspace: Workspace,
  stage: StageContext['stage'],
  { label }: ResolvedOutput,
): Promise<string | undefined> {
  const path = label.startsWith('/') || label.startsWith('.') ? label : `./${label}`
  const found = await resolveInput(workspace, stage, path)
  if (found.status === 'missing' || found.status === 'escapes' || found.status === 'external')
    return undefined
  const places = found.matches.map((match) => match.path)
  if (places.length === 1) return places[0]
  const history = await readProvenance(stateFolder(workspace), stage.name)
  if (history.status !== 'read') return undefined
  const written = new Set(history.value.outputs?.map((output) => output.path))
  return places.find((place) => written.has(workspacePath(workspace, place)))
}
