import type { DeclaredOutput, DeclaredOutputs } from '../declared-outputs.js'
import type { LoadProblem, Workspace } from '../types.js'
import { baseOf, isInside, joinPath, parentOf, shownPath } from '../workspace-paths.js'
import type { StageCheck } from './check-stage.js'

/**
 * Names that differ only in upper and lower case: two outputs that a Mac or Windows disk would put into one file, and
 * inputs that such a disk finds although they are spelt otherwise, so that another disk will not.
 */
export async function checkCase(
  workspace: Workspace,
  checks: readonly StageCheck[],
  declared: DeclaredOutputs,
): Promise<readonly LoadProblem[]> {
  return [...clashingOutputs(workspace, declared), ...(await misspeltInputs(workspace, checks))]
}

function clashingOutputs(workspace: Workspace, declared: DeclaredOutputs): LoadProblem[] {
  const first = new Map<string, DeclaredOutput>()
  return declared.all.flatMap((output): LoadProblem[] => {
    const key = output.place.toLowerCase()
    const before = first.get(key)
    if (!before) first.set(key, output)
    if (!before || before.place === output.place) return []
    return [
      {
        code: 'context/case-clash',
        severity: 'warning',
        what: `"${shownPath(workspace, output.place)}" and "${shownPath(workspace, before.place)}" differ only in upper and lower case.`,
        why: 'A Mac or Windows disk keeps them in one file.',
        instead: `Write "${before.output.path}" in both places, or another name here.`,
        details: { path: output.output.path },
        path: shownPath(workspace, output.stage.contractPath),
        line: output.output.line,
        column: output.output.column,
      },
    ]
  })
}

async function misspeltInputs(workspace: Workspace, checks: readonly StageCheck[]): Promise<LoadProblem[]> {
  const problems: LoadProblem[] = []
  const spelling = spellingOf(workspace)
  for (const { stage, inputs } of checks) {
    for (const { input, paths } of inputs) {
      for (const path of paths) {
        const spelt = await spelling(joinPath(workspace.root, path))
        if (!spelt) continue
        problems.push({
          code: 'context/case-clash',
          severity: 'warning',
          what: `The input "${input.path}" is spelt "${shownPath(workspace, spelt)}" on the disk.`,
          why: 'This disk takes both for one file; others, and git, do not.',
          instead: `Write the name as it is on the disk: "${baseOf(spelt)}".`,
          details: { path: input.path ?? '' },
          path: shownPath(workspace, stage.contractPath),
          line: input.line,
          column: input.column,
        })
      }
    }
  }
  return problems
}

/** Gives the spelling on the disk of a path that is there, when it is another one. */
function spellingOf({ files, allowedRoot }: Workspace): (path: string) => Promise<string | undefined> {
  const folders = new Map<string, Promise<ReadonlyMap<string, string>>>()
  const namesIn = (folder: string) => {
    const known = folders.get(folder)
    if (known) return known
    const names = files
      .list(folder)
      .then((list) => new Map(list.flatMap((name) => [[name.toLowerCase(), name] as const])))
      .catch(() => new Map<string, string>())
    folders.set(folder, names)
    return names
  }
  const exact = new Map<string, boolean>()
  const spell = async (path: string): Promise<string> => {
    if (path === allowedRoot || !isInside(allowedRoot, path) || exact.get(path)) return path
    const folder = await spell(parentOf(path))
    const name = baseOf(path)
    const list = await files.list(folder).catch(() => [])
    const spelt = hasName(list, name) ? name : ((await namesIn(folder)).get(name.toLowerCase()) ?? name)
    const whole = joinPath(folder, spelt)
    exact.set(path, whole === path)
    return whole
  }
  return async (path) => {
    const spelt = await spell(path)
    return spelt === path ? undefined : spelt
  }
}

/** Whether a list, sorted by code unit, holds a name. */
function hasName(list: readonly string[], name: string): boolean {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const found = list[middle] ?? ''
    if (found === name) return true
    if (found < name) low = middle + 1
    else high = middle
  }
  return false
}
