import type { ContractOutput, StageContract } from '@icm/contract-parser'
import { hasPlaceholder } from './path-patterns.js'
import type { LoadProblem, ResolvedOutput, ResolvedOutputs, StageRef, Workspace } from './types.js'
import { baseOf, isInside, joinPath, shownPath, staysInside } from './workspace-paths.js'

/** The absolute place of an output: from the stage folder; `/x` and `<stages folder>/x` from the workspace. */
export function outputPlace(workspace: Workspace, stage: StageRef, path: string): string {
  const { root, stagesFolder } = workspace
  if (path.startsWith('/')) return joinPath(root, path.slice(1))
  const inStages = stagesFolder !== root && path.split('/')[0] === baseOf(stagesFolder) && path.includes('/')
  return joinPath(inStages ? root : stage.folder, path)
}

/**
 * Where a stage's outputs are written: inside the workspace, also through symbolic links, never onto a contract or
 * into `.icm/` or `.git/`. What must not be written is left out with an error; placeholders stay, with a warning.
 */
export async function resolveOutputs(
  workspace: Workspace,
  stage: StageRef,
  contract: StageContract,
): Promise<ResolvedOutputs> {
  const outputs: ResolvedOutput[] = []
  const problems: LoadProblem[] = []
  const at = { path: shownPath(workspace, stage.contractPath) }
  for (const output of contract.outputs) {
    const place = outputPlace(workspace, stage, output.path)
    const position = { ...at, line: output.line, column: output.column }
    const fault =
      (await outsideProblem(workspace, output, place)) ?? protectedProblem(workspace, output, place)
    if (fault) {
      problems.push({ ...fault, ...position, severity: 'error' })
      continue
    }
    const templated = hasPlaceholder(output.path)
    outputs.push({ path: place, label: output.path, folder: output.path.endsWith('/'), templated, output })
    if (!templated) continue
    problems.push({
      ...position,
      severity: 'warning',
      code: 'context/templated-output',
      what: `The output "${output.path}" has a placeholder in its name.`,
      why: 'Its name is known only when the stage runs.',
      instead: 'Write a fixed name if the file is always the same.',
    })
  }
  return { outputs, problems }
}

type Fault = Pick<LoadProblem, 'code' | 'what' | 'why' | 'instead'>

async function outsideProblem(
  workspace: Workspace,
  output: ContractOutput,
  place: string,
): Promise<Fault | undefined> {
  if (await staysInside(workspace.files, workspace.root, place)) return undefined
  return {
    code: 'context/output-outside-workspace',
    what: `The output "${output.path}" lies outside the workspace${isInside(workspace.root, place) ? ' (through a symbolic link)' : ''}.`,
    why: 'A stage writes only inside its workspace.',
    instead: `Write it as "${baseOf(place)} -> output/".`,
  }
}

const contracts = new WeakMap<readonly StageRef[], ReadonlySet<string>>()

/** The paths of all contracts. */
function contractsOf({ stages }: Workspace): ReadonlySet<string> {
  const known = contracts.get(stages) ?? new Set(stages.map((stage) => stage.contractPath))
  contracts.set(stages, known)
  return known
}

function protectedProblem(workspace: Workspace, output: ContractOutput, place: string): Fault | undefined {
  const kept = /(?:^|\/)\.(?:icm|git)(?:\/|$)/.test(shownPath(workspace, place))
  const layer = place === workspace.identityPath || place === workspace.routingPath
  if (!kept && !layer && !contractsOf(workspace).has(place)) return undefined
  return {
    code: 'context/output-protected',
    what: `The output "${output.path}" would replace "${shownPath(workspace, place)}".`,
    why: 'No stage writes a contract, the workspace’s own CLAUDE.md or CONTEXT.md, or the run history.',
    instead: 'Choose another name, such as "notes.md -> output/".',
  }
}
