import type { ContractOutput, StageContract } from '@icm/contract-parser'
import { outputPlace } from './output-place.js'
import { hasPlaceholder } from './path-patterns.js'
import { fillPlaceholders, placeholderValues } from './placeholders.js'
import type {
  LoadProblem,
  PlaceholderValues,
  ResolvedOutput,
  ResolvedOutputs,
  StageRef,
  Workspace,
} from './types.js'
import { baseOf, isInside, shownPath, staysInside } from './workspace-paths.js'

/**
 * Where a stage's outputs are written: inside the workspace, also through symbolic links, never onto a contract or
 * into `.icm/` or `.git/`. What must not be written is left out with an error. Placeholders are filled in with `values` (default:
 * those of `placeholderValues`); one without a value stays, and is reported: the stage cannot write such a file.
 */
export async function resolveOutputs(
  workspace: Workspace,
  stage: StageRef,
  contract: StageContract,
  options: { readonly values?: PlaceholderValues } = {},
): Promise<ResolvedOutputs> {
  const outputs: ResolvedOutput[] = []
  const problems: LoadProblem[] = []
  const at = { path: shownPath(workspace, stage.contractPath) }
  let { values } = options
  for (const output of contract.outputs) {
    const templated = hasPlaceholder(output.path)
    if (templated) values ??= await placeholderValues(workspace)
    const filled = templated
      ? fillPlaceholders(output.path, values ?? {})
      : { path: output.path, missing: [] }
    const place = outputPlace(workspace, stage, filled.path)
    const position = { ...at, line: output.line, column: output.column }
    const fault =
      (await outsideProblem(workspace, output, place)) ?? protectedProblem(workspace, output, place)
    if (fault) {
      problems.push({ ...fault, ...position, severity: 'error' })
      continue
    }
    outputs.push({ path: place, label: output.path, folder: output.path.endsWith('/'), templated, output })
    for (const name of filled.missing) problems.push({ ...unknownName(output, name), ...position })
  }
  return { outputs, problems }
}

function unknownName(output: ContractOutput, name: string) {
  const key = name.replace(/-/g, '_')
  const written = /^[a-z0-9_]+$/.test(key) ? key : JSON.stringify(name)
  return {
    severity: 'info',
    code: 'context/templated-output',
    what: `The name of the output "${output.path}" is not known yet: there is no ${name}.`,
    why:
      name === 'slug'
        ? "It comes from the first heading or line of the run's input; the first stage has no such file with text in it."
        : 'Only slug and date are found without being told.',
    instead: `Add the line ${written} = "..." under [placeholders] in icm.config.toml, or write a fixed name.`,
    details: { path: output.path, placeholder: name },
  } as const
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
