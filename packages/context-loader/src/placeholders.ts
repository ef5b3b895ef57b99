import type { ContractInput } from '@icm/contract-parser'
import { declaredOutputs } from './declared-outputs.js'
import { placeholderPattern } from './path-patterns.js'
import { readContract } from './read-contract.js'
import { readDocument } from './read-document.js'
import { promptText } from './render-context.js'
import { resolveInput } from './resolve-input.js'
import type { PlaceholderValues, StageRef, Workspace } from './types.js'

/** A path with its placeholders filled in, and the names of those that have no value; `slug` stands for all slugs. */
export interface FilledPath {
  readonly path: string
  readonly missing: readonly string[]
}

/**
 * Puts values into the placeholders of a path: `[slug]`, `<slug>`, `{slug}`, `{{SLUG}}`, `YYYY-MM-DD`. Names are compared without
 * regard to case, `_` and spaces. `[topic-slug]` is the slug and `[run-date]` the date, where they have no value of their own.
 */
export function fillPlaceholders(path: string, values: PlaceholderValues): FilledPath {
  const missing = new Set<string>()
  const known = new Map(Object.entries(values).map(([name, value]) => [plainName(name), value]))
  const filled = path.replace(placeholderPattern, (written) => {
    const name = plainName(written === 'YYYY-MM-DD' ? 'date' : written.replace(/[[\]<>{}]/g, ''))
    const general = /(?:^|-)(slug|date)$/.exec(name === 'today' ? 'date' : name)?.[1]
    const value = known.get(name) ?? (general === undefined ? undefined : known.get(general))
    if (value !== undefined && value !== '') return value.replace(/[/\\\0]/g, '-')
    missing.add(general ?? name)
    return written
  })
  return { path: filled, missing: [...missing] }
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, '-')
}

/**
 * The values that fill the names of outputs: those of the workspace, `date` (`YYYY-MM-DD`, UTC), and `slug` from the first
 * heading, or else the first line, of the run's input: the first working file of the first stage that no stage writes.
 */
export async function placeholderValues(
  workspace: Workspace,
  { date = new Date() }: { readonly date?: Date } = {},
): Promise<PlaceholderValues> {
  const slug = slugOf(await runInput(workspace))
  return {
    date: date.toISOString().slice(0, 10),
    ...(slug === '' ? {} : { slug }),
    ...workspace.placeholders,
  }
}

async function runInput(workspace: Workspace): Promise<string> {
  const stage = workspace.stages[0]
  if (!stage) return ''
  const { contract } = await readContract(workspace, stage)
  for (const input of contract.inputs) {
    const text = input.kind === 'file' && input.layer !== 3 ? await workingText(workspace, stage, input) : ''
    if (text !== '') return text
  }
  return ''
}

async function workingText(workspace: Workspace, stage: StageRef, input: ContractInput): Promise<string> {
  const resolved = await resolveInput(workspace, stage, input.path ?? '')
  const file = resolved.status === 'found' ? resolved.matches[0] : undefined
  if (file?.kind !== 'file') return ''
  if (input.layer === undefined && !isOfRun(stage, file.path)) return ''
  const written = (await declaredOutputs(workspace)).writersOf(file.path)
  if (written.length > 0) return ''
  const document = await readDocument(workspace.files, file.path)
  return document.kind === 'text' ? promptText(document.text) : ''
}

/** Rules and templates say nothing about a run: its files lie in the stage or in `setup/`, or are called `input`. */
function isOfRun(stage: StageRef, path: string): boolean {
  if (/\/(?:input\.\w+|setup\/[^/]*)$/.test(path)) return true
  return path.startsWith(`${stage.folder}/`) && !path.startsWith(`${stage.folder}/references/`)
}

const longestSlug = 60

/** Words of letters and digits of any script, in lower case, joined by `-`; cut between words. */
function slugOf(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const heading = lines.find((line) => /^ {0,3}#{1,6}[ \t]+\S/.test(line)) ?? lines[0] ?? ''
  const words = heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  let slug = ''
  for (const word of words) {
    if (slug !== '' && slug.length + word.length >= longestSlug) break
    slug = slug === '' ? word.slice(0, longestSlug) : `${slug}-${word}`
  }
  return slug
}
