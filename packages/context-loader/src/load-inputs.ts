import type { ContractInput } from '@icm/contract-parser'
import { extractSection } from './extract-section.js'
import { sha256 } from './hash.js'
import type { DeclaredOutput } from './input-hint.js'
import { inputProblem, missingInput, scopeProblem } from './input-problems.js'
import { promptText } from './render-context.js'
import { resolveInput } from './resolve-input.js'
import { readStageName } from './stage-names.js'
import type { ContextPart, DroppedPart, InputMatch, LoadProblem, StageRef, Workspace } from './types.js'
import { isInside, joinPath, relativePath } from './workspace-paths.js'

/** What the inputs of a contract came to. */
export interface LoadedInputs {
  readonly parts: readonly ContextPart[]
  readonly dropped: readonly DroppedPart[]
  readonly problems: readonly LoadProblem[]
}

interface Loading {
  readonly workspace: Workspace
  readonly stage: StageRef
  readonly countTokens: (text: string) => number
  readonly declared: () => Promise<readonly DeclaredOutput[]>
  readonly parts: ContextPart[]
  readonly dropped: DroppedPart[]
  readonly problems: LoadProblem[]
}

/** Reads every input of a contract, in contract order; what is not read is in `dropped` or a problem. */
export async function loadInputs(
  workspace: Workspace,
  stage: StageRef,
  inputs: readonly ContractInput[],
  options: {
    readonly countTokens: (text: string) => number
    readonly declared: () => Promise<readonly DeclaredOutput[]>
  },
): Promise<LoadedInputs> {
  const loading: Loading = { workspace, stage, ...options, parts: [], dropped: [], problems: [] }
  for (const input of inputs) {
    if (input.kind === 'file' && input.path !== undefined) await loadInput(loading, input, input.path)
    else if (input.kind !== 'none')
      loading.dropped.push({ label: input.path ?? input.remark ?? input.text, reason: reasonOf(input) })
  }
  return loading
}

function reasonOf(input: ContractInput): string {
  if (input.kind === 'external') return 'outside the workspace: reported, never read'
  if (input.kind === 'command') return 'a command: recorded, never run'
  if (input.kind === 'person') return 'comes from a person, not from a file'
  return 'names no file'
}

async function loadInput(loading: Loading, input: ContractInput, path: string): Promise<void> {
  const { workspace, stage } = loading
  const sibling = input.siblingOf ? { siblingOf: input.siblingOf } : {}
  const hints = { ...sibling, declared: loading.declared }
  const resolved = await resolveInput(workspace, stage, path, sibling)
  if (resolved.status === 'missing') {
    if (input.required)
      loading.problems.push(await missingInput(workspace, stage, input, resolved.lookedIn, hints))
    else loading.dropped.push({ label: path, reason: 'optional, and not there' })
    return
  }
  if (resolved.status !== 'found') {
    const problem = inputProblem(workspace, stage, input, resolved)
    if (problem) loading.problems.push(problem)
    return
  }
  const files = await filesOf(loading, input, path, resolved.matches)
  if (files.length === 0) {
    const lookedIn = resolved.lookedIn.map((place) => `${place.replace(/\/$/, '')}/ (empty)`)
    if (input.required) loading.problems.push(await missingInput(workspace, stage, input, lookedIn, hints))
    else loading.dropped.push({ label: path, reason: 'optional, and its folder is empty' })
  }
  for (const file of files) await addFile(loading, input, file)
}

interface InputFile {
  readonly path: string
  readonly label: string
}

/** The files behind the matches of a path: a folder gives its files in name order, or the newest one. */
async function filesOf(
  loading: Loading,
  input: ContractInput,
  label: string,
  matches: readonly InputMatch[],
): Promise<InputFile[]> {
  const { workspace, stage } = loading
  const files: InputFile[] = []
  for (const match of matches) {
    // The contract's own words, unless they are a pattern: then the name that it matched.
    const shown = matches.length > 1 || label.includes('*') ? relativePath(stage.folder, match.path) : label
    if (match.kind === 'file') files.push({ path: match.path, label: shown })
    else files.push(...(await filesIn(workspace, match.path, `${shown.replace(/\/$/, '')}/`)))
  }
  const folders = matches.some((match) => match.kind === 'folder')
  return input.scope.kind === 'latest' && (folders || matches.length > 1) ? newest(workspace, files) : files
}

async function filesIn(workspace: Workspace, folder: string, label: string): Promise<InputFile[]> {
  const files: InputFile[] = []
  for (const name of await workspace.files.list(folder)) {
    const path = joinPath(folder, name)
    if (name.startsWith('.') || (await workspace.files.kindOf(path)) !== 'file') continue
    const real = await workspace.files.realPath(path)
    if (isInside(await workspace.files.realPath(workspace.allowedRoot), real))
      files.push({ path, label: `${label}${name}` })
  }
  return files
}

async function newest(workspace: Workspace, files: readonly InputFile[]): Promise<InputFile[]> {
  let best: { file: InputFile; time: number } | undefined
  for (const file of files) {
    const time = await workspace.files.modifiedMs(file.path)
    // Of two equally old files (a fresh clone) the later name wins, so that numbered or dated names work.
    if (!best || time >= best.time) best = { file, time }
  }
  return best ? [best.file] : []
}

async function addFile(loading: Loading, input: ContractInput, file: InputFile): Promise<void> {
  const { workspace, stage, countTokens, parts, dropped, problems } = loading
  const source = await workspace.files.readText(file.path)
  if (source.includes('\0')) {
    dropped.push({ label: file.label, reason: 'not a text file' })
    return
  }
  const above = [workspace.identityPath, workspace.routingPath].indexOf(file.path)
  if (above >= 0) {
    dropped.push({ label: file.label, reason: `already there as layer ${above}` })
    return
  }
  const extracted = extractSection(promptText(source), input.scope)
  if (extracted.reason) problems.push(scopeProblem(workspace, stage, input, extracted.reason))
  const text = promptText(extracted.text)
  if (parts.some((part) => part.path === file.path && part.text === text)) {
    dropped.push({ label: file.label, reason: 'listed twice' })
    return
  }
  if (text === '') dropped.push({ label: file.label, reason: 'empty' })
  parts.push({
    layer: input.layer ?? inferLayer(workspace, file.path),
    label: file.label,
    path: file.path,
    scope: input.scope,
    text,
    characters: text.length,
    tokens: countTokens(text),
    sha256: sha256(source),
  })
}

/**
 * The layer of a file whose contract states none: 4 under an `output/`, in `setup/`, or in a numbered stage outside its
 * `references/`; else 3.
 */
function inferLayer(workspace: Workspace, path: string): 3 | 4 {
  const base = isInside(workspace.root, path) ? workspace.root : workspace.allowedRoot
  const folders = relativePath(base, path).split('/').slice(0, -1)
  if (folders.includes('output') || folders.includes('setup')) return 4
  const stage = folders.findIndex((folder) => readStageName(folder) !== undefined)
  return stage >= 0 && !folders.slice(stage).includes('references') ? 4 : 3
}
