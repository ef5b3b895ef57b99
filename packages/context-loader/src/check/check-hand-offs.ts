import type { DeclaredOutput, DeclaredOutputs } from '../declared-outputs.js'
import { isPattern } from '../path-patterns.js'
import type { LoadProblem, Workspace } from '../types.js'
import { baseOf, isInside, shownPath } from '../workspace-paths.js'
import type { InputCheck, StageCheck } from './check-stage.js'

/** What the checks between stages found, and which problems of single stages they say better. */
export interface HandOffs {
  readonly problems: readonly LoadProblem[]
  readonly replaced: ReadonlySet<LoadProblem>
}

/** One stage that cannot do without an output of another. */
interface Need {
  readonly reader: number
  readonly writer: number
  readonly input: InputCheck
}

/** Checks what passes from stage to stage: order, cycles, outputs that nobody reads, one file written twice. */
export function checkHandOffs(
  workspace: Workspace,
  checks: readonly StageCheck[],
  declared: DeclaredOutputs,
): HandOffs {
  const needs = needsOf(checks)
  const cycles = checkCycles(workspace, checks, needs)
  return {
    problems: [
      ...cycles.problems,
      ...foundButLater(workspace, checks, cycles.edges),
      ...unreadOutputs(workspace, checks, declared),
      ...sharedOutputs(workspace, declared),
    ],
    replaced: cycles.replaced,
  }
}

function inputsOf(check: StageCheck): readonly InputCheck[] {
  return check.items ? [...check.inputs, check.items] : check.inputs
}

/** A need is a required input that only one other stage, or only later ones, can fill. */
function needsOf(checks: readonly StageCheck[]): Need[] {
  return checks.flatMap((check, reader) =>
    inputsOf(check).flatMap((input) => {
      if (!input.input.required || input.status === 'absent') return []
      const others = input.writers.filter((output) => output.stage.name !== check.stage.name)
      const writer = others.find((output) => output.order < reader) ?? others[0]
      return writer ? [{ reader, writer: writer.order, input }] : []
    }),
  )
}

function checkCycles(workspace: Workspace, checks: readonly StageCheck[], needs: readonly Need[]) {
  const problems: LoadProblem[] = []
  const replaced = new Set<LoadProblem>()
  const edges = new Set<Need>()
  const backwards = new Map<number, Need[]>()
  for (const need of needs) backwards.set(need.reader, [...(backwards.get(need.reader) ?? []), need])
  // Every cycle has a need that points to a later stage: from there a way must lead back.
  for (const need of needs.filter((one) => one.writer > one.reader)) {
    const way = wayBack(backwards, need.writer, need.reader)
    const check = checks[need.reader]
    if (!way || !check) continue
    edges.add(need)
    const names = [need.reader, ...way].map((index) => checks[index]?.stage.name ?? '')
    const { line, column, path: written = '' } = need.input.input
    for (const problem of check.problems) {
      if (
        problem.code === 'context/later-input' &&
        problem.line === line &&
        problem.details?.path === written
      )
        replaced.add(problem)
    }
    problems.push({
      code: 'context/cycle',
      severity: 'error',
      what: `The stages wait for each other: ${names.join(' needs ')}.`,
      why: 'Stages run one after the other, each on what was written before it.',
      instead: `Take "${written}" out of the inputs of ${check.stage.name}, or mark it with "(if exists)".`,
      details: { stages: names },
      path: shownPath(workspace, check.stage.contractPath),
      line,
      column,
    })
  }
  return { problems, replaced, edges }
}

/** The stages from one to another along their needs, or undefined when no way leads there. */
function wayBack(needs: ReadonlyMap<number, Need[]>, from: number, to: number): number[] | undefined {
  const cameFrom = new Map<number, number>([[from, from]])
  const queue = [from]
  for (let current = queue.shift(); current !== undefined; current = queue.shift()) {
    for (const { writer } of needs.get(current) ?? []) {
      if (cameFrom.has(writer)) continue
      cameFrom.set(writer, current)
      queue.push(writer)
    }
    if (cameFrom.has(to)) break
  }
  if (!cameFrom.has(to)) return undefined
  const way = [to]
  for (let current = to; current !== from; ) {
    current = cameFrom.get(current) ?? from
    way.unshift(current)
  }
  return way
}

/** A file that is there although its only writer runs later: it is what an earlier run, or somebody, left. */
function foundButLater(
  workspace: Workspace,
  checks: readonly StageCheck[],
  cycles: ReadonlySet<Need>,
): LoadProblem[] {
  const inCycle = new Set([...cycles].map((need) => need.input))
  return checks.flatMap((check, reader) =>
    inputsOf(check).flatMap((input): LoadProblem[] => {
      const [first] = input.writers
      const later = input.writers.length > 0 && input.writers.every((output) => output.order > reader)
      if (!first || !later || input.status !== 'found' || !input.input.required || inCycle.has(input))
        return []
      return [
        {
          code: 'context/later-input',
          severity: 'warning',
          what: `The input "${input.input.path}" is written by stage ${first.stage.name}, which runs later.`,
          why: 'What is there now was left by an earlier run, and the next run reads it unchanged.',
          instead: `Give stage ${first.stage.name} a number below that of ${check.stage.name}, or mark the input with "(if exists)".`,
          details: { path: input.input.path ?? '', producer: first.stage.name },
          path: shownPath(workspace, check.stage.contractPath),
          line: input.input.line,
          column: input.input.column,
        },
      ]
    }),
  )
}

function unreadOutputs(
  workspace: Workspace,
  checks: readonly StageCheck[],
  declared: DeclaredOutputs,
): LoadProblem[] {
  const read = new Set(
    checks.flatMap((check) =>
      inputsOf(check).flatMap((input) =>
        input.writers.filter((output) => output.stage.name !== check.stage.name),
      ),
    ),
  )
  const last = checks.length - 1
  return declared.all.flatMap((output): LoadProblem[] => {
    // What the last stage writes is the product, and so is what is put outside the stage that makes it.
    if (output.order === last || read.has(output) || !isInside(output.stage.folder, output.place)) return []
    // A file may also be named elsewhere, for example in Verify.
    const name = baseOf(output.place)
    if (checks.some((check) => check.stage.name !== output.stage.name && check.text.includes(name))) return []
    return [
      {
        code: 'context/unread-output',
        severity: 'info',
        what: `No other stage reads "${output.output.path}".`,
        why: 'Only the last stage writes for a person alone.',
        instead: `Name "${relativeTo(workspace, output)}" in the Inputs of the stage that needs it, or leave it as it is.`,
        details: { path: output.output.path },
        path: shownPath(workspace, output.stage.contractPath),
        line: output.output.line,
        column: output.output.column,
      },
    ]
  })
}

/** An output as the contract of another stage would write it. */
function relativeTo(workspace: Workspace, output: DeclaredOutput): string {
  const path = shownPath(workspace, output.place)
  const stages = shownPath(workspace, workspace.stagesFolder)
  const inside =
    stages === '.' ? path : path.startsWith(`${stages}/`) ? path.slice(stages.length + 1) : undefined
  return inside === undefined ? `/${path}` : `../${inside}`
}

function sharedOutputs(workspace: Workspace, declared: DeclaredOutputs): LoadProblem[] {
  const first = new Map<string, DeclaredOutput>()
  return declared.all.flatMap((output): LoadProblem[] => {
    if (output.folder || isPattern(output.place)) return []
    const before = first.get(output.place)
    if (!before) first.set(output.place, output)
    if (!before || before.stage.name === output.stage.name) return []
    return [
      {
        code: 'context/same-output',
        severity: 'error',
        what: `"${shownPath(workspace, output.place)}" is written by stage ${before.stage.name} and by stage ${output.stage.name}.`,
        why: 'Then each run of one destroys the work of the other.',
        instead: `Give it another name here, such as "${baseOf(output.place).replace(/(\.[^.]*)?$/, `-${output.stage.number}$1`)} -> output/".`,
        details: { path: output.output.path, stages: [before.stage.name, output.stage.name] },
        path: shownPath(workspace, output.stage.contractPath),
        line: output.output.line,
        column: output.output.column,
      },
    ]
  })
}
