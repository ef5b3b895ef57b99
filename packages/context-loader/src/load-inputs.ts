import type { ContractInput } from '@icm/contract-parser'
import { IcmError } from '@icm/errors'
import { contextPart } from './context-part.js'
import type { DeclaredOutputs } from './declared-outputs.js'
import { brokenTextProblem, emptyProblem, unreadableProblem } from './document-problems.js'
import { extractSection } from './extract-section.js'
import { inputProblem, missingInput, placeOf, scopeProblem } from './input-problems.js'
import { readDocument } from './read-document.js'
import { promptText } from './render-context.js'
import { resolveInput } from './resolve-input.js'
import { readStageName } from './stage-names.js'
import type { ContextPart, DroppedPart, InputMatch, LoadProblem, StageRef, Workspace } from './types.js'
import { isInside, joinPath, relativePath, shownPath, staysInside } from './workspace-paths.js'

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
  readonly declared: () => Promise<DeclaredOutputs>
  readonly signal?: AbortSignal
  readonly parts: ContextPart[]
  readonly dropped: DroppedPart[]
  readonly problems: LoadProblem[]
}

/** Reads every input of a contract, in contract order; what is not read is in `dropped` or a problem. */
export async function loadInputs(
  workspace: Workspace,
  stage: StageRef,
  inputs: readonly ContractInput[],
  options: Pick<Loading, 'countTokens' | 'declared' | 'signal'>,
): Promise<LoadedInputs> {
  const loading: Loading = { workspace, stage, ...options, parts: [], dropped: [], problems: [] }
  for (const input of inputs) {
    options.signal?.throwIfAborted()
    if (input.kind === 'file' && input.path !== undefined) await loadOrReport(loading, input, input.path)
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

/** A folder on the way that cannot be looked into is a fault of this input, not of the whole load. */
async function loadOrReport(loading: Loading, input: ContractInput, path: string): Promise<void> {
  try {
    await loadInput(loading, input, path)
  } catch (error) {
    if (!IcmError.isInstance(error)) throw error
    const refused = { kind: 'unreadable', reason: error.why, instead: error.instead } as const
    const place = placeOf(loading.workspace, loading.stage, input)
    loading.problems.push(unreadableProblem(subjectOf(loading, input), path, refused, place))
  }
}

function subjectOf({ stage }: Loading, input: ContractInput): string {
  return `The ${input.required ? '' : 'optional '}input of stage ${stage.name}`
}

async function loadInput(loading: Loading, input: ContractInput, path: string): Promise<void> {
  const { workspace, stage } = loading
  const sibling = input.siblingOf ? { siblingOf: input.siblingOf } : {}
  const hints = { ...sibling, declared: loading.declared }
  const resolved = await resolveInput(workspace, stage, path, sibling)
  if (resolved.status === 'external') {
    loading.dropped.push({ label: path, reason: 'outside the workspace: reported, never read' })
    return
  }
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
  const alone = files.length === 1 && resolved.matches[0]?.kind === 'file'
  let usable = 0
  for (const file of files) if (await addFile(loading, input, file, alone)) usable++
  if (alone || usable > 0) return
  const state = files.length === 0 ? 'empty' : 'no text in it'
  const lookedIn = resolved.lookedIn.map((place) => `${place.replace(/\/$/, '')}/ (${state})`)
  if (input.required) loading.problems.push(await missingInput(workspace, stage, input, lookedIn, hints))
  else loading.dropped.push({ label: path, reason: 'optional, and its folder is empty' })
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
    if (await staysInside(workspace.files, workspace.allowedRoot, path))
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

/** Adds one file; false when there is no text in it. `alone` says that the entry names just this file. */
async function addFile(
  loading: Loading,
  input: ContractInput,
  file: InputFile,
  alone: boolean,
): Promise<boolean> {
  const { workspace, stage, countTokens, parts, dropped, problems } = loading
  const above = [workspace.identityPath, workspace.routingPath].indexOf(file.path)
  if (above >= 0) {
    dropped.push({ label: file.label, reason: `already there as layer ${above}` })
    return true
  }
  const shown = shownPath(workspace, file.path)
  const place = placeOf(workspace, stage, input)
  const needed = alone && input.required
  const document = await readDocument(workspace.files, file.path)
  if (document.kind !== 'text') {
    const reason = document.kind === 'binary' ? 'not a text file' : `could not be read: ${document.reason}`
    if (needed) problems.push(unreadableProblem(subjectOf(loading, input), shown, document, place))
    else dropped.push({ label: file.label, reason })
    return false
  }
  if (document.brokenLine) problems.push(brokenTextProblem(shown, document.brokenLine, place))
  const extracted = extractSection(promptText(document.text), input.scope)
  if (extracted.reason) problems.push(scopeProblem(workspace, stage, input, extracted.reason))
  const text = promptText(extracted.text)
  if (parts.some((part) => part.path === file.path && part.text === text)) {
    dropped.push({ label: file.label, reason: 'listed twice' })
    return true
  }
  if (text === '' && needed) problems.push(emptyProblem(subjectOf(loading, input), shown, place))
  if (text === '' && !needed) dropped.push({ label: file.label, reason: 'empty' })
  const layer = input.layer ?? inferLayer(workspace, file.path)
  const { scope, required } = input
  const { path, label } = file
  parts.push(contextPart({ layer, label, path, scope, text, required, sha256: document.sha256 }, countTokens))
  return text !== ''
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
