import type { ContractInput } from '@icm/contract-parser'
import { IcmError } from '@icm/errors'
import type { PartOfText } from './context-part.js'
import type { DeclaredOutputs } from './declared-outputs.js'
import { brokenTextProblem, emptyProblem, unreadableProblem } from './document-problems.js'
import { extractSection } from './extract-section.js'
import { inputProblem, missingInput, placeOf, scopeProblem } from './input-problems.js'
import { readDocument, readPlainDocument, type TextDocument } from './read-document.js'
import { promptText } from './render-context.js'
import { firstCandidate, resolveInput } from './resolve-input.js'
import { readStageName } from './stage-names.js'
import type { DroppedPart, InputMatch, LoadProblem, StageRef, Workspace } from './types.js'
import { isInside, joinPath, relativePath, shownPath, staysInside } from './workspace-paths.js'

/** What the inputs of a contract came to. */
export interface LoadedInputs {
  readonly parts: readonly PartOfText[]
  readonly dropped: readonly DroppedPart[]
  readonly problems: readonly LoadProblem[]
}

interface Loading {
  readonly workspace: Workspace
  readonly stage: StageRef
  readonly declared: () => Promise<DeclaredOutputs>
  readonly signal?: AbortSignal
  readonly parts: PartOfText[]
  readonly dropped: DroppedPart[]
  readonly problems: LoadProblem[]
  /** Folder → whether it stays inside the allowed root. */
  readonly insideFolders: Map<string, boolean>
  /** Folder → the layer of its files, where a contract states none. */
  readonly layers: Map<string, 3 | 4>
  /** Paths of the parts. */
  readonly loaded: Set<string>
}

/** Reads every input of a contract, in contract order; what is not read is in `dropped` or a problem. */
export async function loadInputs(
  workspace: Workspace,
  stage: StageRef,
  inputs: readonly ContractInput[],
  options: Pick<Loading, 'declared' | 'signal'>,
): Promise<LoadedInputs> {
  const loading: Loading = {
    workspace,
    stage,
    ...options,
    parts: [],
    dropped: [],
    problems: [],
    insideFolders: new Map(),
    layers: new Map(),
    loaded: new Set(),
  }
  for (const input of inputs) {
    options.signal?.throwIfAborted()
    if (input.kind === 'file' && input.path !== undefined) {
      const place = plainPlace(loading, input.path)
      if (place !== undefined) {
        const folder = place.slice(0, place.lastIndexOf('/'))
        // A promise for every one of many files would take longer than reading them.
        const inside = loading.insideFolders.get(folder) ?? (await folderInside(loading, folder, place))
        if (inside && addPlainFile(loading, input, place, input.path)) continue
      }
      await loadOrReport(loading, input, input.path)
    } else if (input.kind !== 'none')
      loading.dropped.push({ label: input.path ?? input.remark ?? input.text, reason: reasonOf(input) })
  }
  return loading
}

const plainLetters = /^(?:\.{1,2}\/)*[\w-][\w./ -]*[\w-]$/

/**
 * The first place where a path may be, when its text says that it names one ordinary file: then it is found there or
 * nowhere sooner. Undefined for patterns, folders, paths from the root, and layer files.
 */
function plainPlace({ workspace, stage }: Loading, path: string): string | undefined {
  if (!workspace.files.readPlainFile || !plainLetters.test(path)) return undefined
  const place = firstCandidate(workspace, stage, path)
  return place === workspace.identityPath || place === workspace.routingPath ? undefined : place
}

/** Whether a folder, of which `place` is a file, lies inside the allowed root; undefined when the file is not there. */
async function folderInside(
  { workspace, insideFolders }: Loading,
  folder: string,
  place: string,
): Promise<boolean | undefined> {
  const { files, allowedRoot } = workspace
  try {
    // The real path of what is not there is an exception, which takes longer than everything else here.
    if (!isInside(allowedRoot, folder) || (await files.kindOf(place)) === undefined) return undefined
    const inside = isInside(await files.realPath(allowedRoot), await files.realPath(folder))
    insideFolders.set(folder, inside)
    return inside
  } catch (error) {
    if (!IcmError.isInstance(error)) throw error
    return undefined // the longer way says why
  }
}

/** Reads a file in a folder that lies inside, without following a link; false when it needs the longer way. */
function addPlainFile(loading: Loading, input: ContractInput, path: string, label: string): boolean {
  const document = readPlainDocument(loading.workspace.files, path)
  if (!document) return false
  addDocument(loading, input, { path, label }, document, true)
  return true
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
  const { workspace, stage, dropped, problems } = loading
  const above = [workspace.identityPath, workspace.routingPath].indexOf(file.path)
  if (above >= 0) {
    dropped.push({ label: file.label, reason: `already there as layer ${above}` })
    return true
  }
  const document = await readDocument(workspace.files, file.path)
  if (document.kind === 'text') return addDocument(loading, input, file, document, alone)
  const reason = document.kind === 'binary' ? 'not a text file' : `could not be read: ${document.reason}`
  if (!alone || !input.required) dropped.push({ label: file.label, reason })
  else {
    const place = placeOf(workspace, stage, input)
    problems.push(
      unreadableProblem(subjectOf(loading, input), shownPath(workspace, file.path), document, place),
    )
  }
  return false
}

/** Adds the part of a text that the entry names; false when there is no text in it. */
function addDocument(
  loading: Loading,
  input: ContractInput,
  { path, label }: InputFile,
  document: TextDocument,
  alone: boolean,
): boolean {
  const { workspace, stage, parts, dropped, problems, loaded } = loading
  const { scope, required } = input
  const place = () => placeOf(workspace, stage, input)
  const shown = () => shownPath(workspace, path)
  if (document.brokenLine) problems.push(brokenTextProblem(shown(), document.brokenLine, place()))
  const whole = promptText(document.text)
  const extracted = extractSection(whole, scope)
  if (extracted.reason) problems.push(scopeProblem(workspace, stage, input, extracted.reason))
  const text = extracted.whole ? whole : promptText(extracted.text)
  if (loaded.has(path) && parts.some((part) => part.path === path && part.text === text)) {
    dropped.push({ label, reason: 'listed twice' })
    return true
  }
  const needed = alone && required
  if (text === '' && needed) problems.push(emptyProblem(subjectOf(loading, input), shown(), place()))
  if (text === '' && !needed) dropped.push({ label, reason: 'empty' })
  const layer = input.layer ?? layerOf(loading, path)
  loaded.add(path)
  parts.push({ layer, label, path, scope, text, required, document })
  return text !== ''
}

function layerOf({ workspace, layers }: Loading, path: string): 3 | 4 {
  const folder = path.slice(0, path.lastIndexOf('/'))
  const known = layers.get(folder)
  if (known) return known
  const layer = inferLayer(workspace, path)
  layers.set(folder, layer)
  return layer
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
