import type { ContractInput, ForEach } from '@icm/contract-parser'
import { orderOf } from './find-stage.js'
import { type HintOptions, hintForInput } from './input-hint.js'
import type { InputHint, LoadProblem, ResolvedInput, StageRef, Workspace } from './types.js'
import { shownPath } from './workspace-paths.js'

type Source = ContractInput | ForEach

/** Where a problem of an entry stands. */
export function placeOf(workspace: Workspace, stage: StageRef, source: Source) {
  return { path: shownPath(workspace, stage.contractPath), line: source.line, column: source.column }
}

/** The problem of a required input that is not there: where it was looked for, who writes it, what is nearest. */
export async function missingInput(
  workspace: Workspace,
  stage: StageRef,
  source: Source,
  lookedIn: readonly string[],
  options: HintOptions,
): Promise<LoadProblem> {
  const path = source.path ?? ''
  const hint = await hintForInput(workspace, stage, path, options)
  const place = placeOf(workspace, stage, source)
  return {
    code: missingCode(workspace, stage, hint),
    severity: 'error',
    what: `The input "${path}" of stage ${stage.name} was not found.`,
    why: `Looked for ${lookedIn.join(', ')}. ${producerText(workspace, stage, hint)}`,
    instead: insteadText(workspace, stage, hint, place, lookedIn[0] ?? path),
    details: {
      path,
      lookedIn: [...lookedIn],
      ...(hint.producer ? { producer: hint.producer } : {}),
      ...(hint.nearest ? { nearest: hint.nearest } : {}),
    },
    ...place,
  }
}

/** The reasons that no run of the stages can mend have codes of their own. */
function missingCode(workspace: Workspace, stage: StageRef, hint: InputHint): string {
  if (hint.own) return 'context/own-output'
  return hint.producer && comesLater(workspace, stage, hint.producer)
    ? 'context/later-input'
    : 'context/missing-input'
}

function comesLater(workspace: Workspace, stage: StageRef, name: string): boolean {
  return orderOf(workspace, name) > orderOf(workspace, stage.name)
}

function producerText(workspace: Workspace, stage: StageRef, hint: InputHint): string {
  if (hint.own) return 'Only this stage itself writes it.'
  if (!hint.producer) return 'No stage names it as an output.'
  if (comesLater(workspace, stage, hint.producer)) return `Stage ${hint.producer} writes it, but runs later.`
  return `Stage ${hint.producer} writes it and has not done so yet.`
}

function insteadText(
  workspace: Workspace,
  stage: StageRef,
  hint: InputHint,
  place: { path: string; line: number },
  first: string,
): string {
  if (hint.producer && comesLater(workspace, stage, hint.producer)) {
    return `Give stage ${hint.producer} a number below that of ${stage.name}, or change line ${place.line} of ${place.path}.`
  }
  if (hint.producer && hint.nearest)
    return `Run stage ${hint.producer} first, or name "${hint.nearest}", which is there.`
  if (hint.producer) return `Run stage ${hint.producer} first.`
  if (hint.own) return `Mark line ${place.line} of ${place.path} with "(if exists)", or name another file.`
  if (hint.nearest) return `Did you mean "${hint.nearest}"? Then change line ${place.line} of ${place.path}.`
  return `Create ${first.replace(/ \(empty\)$/, '')}, or change line ${place.line} of ${place.path}.`
}

/** The problem of a path that leads outside the allowed root, or that several files match. */
export function inputProblem(
  workspace: Workspace,
  stage: StageRef,
  source: Source,
  resolved: ResolvedInput,
): LoadProblem | undefined {
  const place = placeOf(workspace, stage, source)
  if (resolved.status === 'escapes') {
    return {
      code: 'context/escapes-root',
      severity: 'error',
      what: `The input "${source.path}" of stage ${stage.name} leads outside the allowed root.`,
      why: `Nothing outside "${shownPath(workspace, workspace.allowedRoot)}" (seen from the workspace) is read, also not through symbolic links.`,
      instead: `Copy the file into the workspace and change line ${place.line} of ${place.path}.`,
      details: { path: source.path ?? '', lookedIn: [...resolved.lookedIn] },
      ...place,
    }
  }
  if (resolved.status !== 'ambiguous') return undefined
  const matches = resolved.matches.map((match) => shownPath(workspace, match.path))
  return {
    code: 'context/ambiguous-input',
    severity: 'error',
    what: `The input "${source.path}" of stage ${stage.name} matches ${matches.length} files: ${matches.join(', ')}.`,
    why: 'A placeholder stands for one name.',
    instead: 'Move the files of other runs away, or write the name in full.',
    details: { path: source.path ?? '', matches },
    ...place,
  }
}

/** The warning that a scope did not fit, so that the whole file was loaded. */
export function scopeProblem(
  workspace: Workspace,
  stage: StageRef,
  input: ContractInput,
  reason: string,
): LoadProblem {
  return {
    code: 'context/scope-not-found',
    severity: 'warning',
    what: `The part "${input.scope.text}" of "${input.path}" was not found: ${reason}. The whole file was loaded.`,
    why: 'A part is named by the headings of the file.',
    instead: 'Correct the name, or write "Full file".',
    details: { path: input.path ?? '', scope: input.scope.text },
    ...placeOf(workspace, stage, input),
  }
}
