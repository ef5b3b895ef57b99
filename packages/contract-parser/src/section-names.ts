import { nearestName } from '@icm/errors'

/** The sections of a contract that have a meaning. */
export type SectionName =
  | 'purpose'
  | 'inputs'
  | 'tools'
  | 'for-each'
  | 'process'
  | 'verify'
  | 'checkpoints'
  | 'review-gate'
  | 'audit'
  | 'outputs'

const names: ReadonlyMap<string, SectionName> = new Map([
  ['purpose', 'purpose'],
  ['inputs', 'inputs'],
  ['input', 'inputs'],
  ['read', 'inputs'],
  ['tools', 'tools'],
  ['tool', 'tools'],
  ['for each', 'for-each'],
  ['for-each', 'for-each'],
  ['foreach', 'for-each'],
  ['process', 'process'],
  ['verify', 'verify'],
  ['checkpoints', 'checkpoints'],
  ['checkpoint', 'checkpoints'],
  ['review gate', 'review-gate'],
  ['audit', 'audit'],
  ['acceptance criteria', 'audit'],
  ['check', 'audit'],
  ['outputs', 'outputs'],
  ['output', 'outputs'],
  ['write', 'outputs'],
])

/** What people call these sections where they do not use the name itself; they count only in a contract without it. */
const otherNames: ReadonlyMap<string, SectionName> = new Map([
  ['steps', 'process'],
  ['instructions', 'process'],
  ['task', 'process'],
  ['procedure', 'process'],
  ['workflow', 'process'],
  ['what to do', 'process'],
  ['deliverables', 'outputs'],
  ['deliverable', 'outputs'],
  ['output files', 'outputs'],
  ['input files', 'inputs'],
  ['required reading', 'inputs'],
])

const knownNames = [...names.keys()]

/**
 * A heading reduced to what names a section: without emphasis, emoji, a leading ordinal, everything behind a
 * dash or `(`, a trailing colon, and case.
 */
export function normaliseHeading(heading: string): string {
  if (/^[A-Za-z]+(?: [A-Za-z]+)*$/.test(heading)) return heading.toLowerCase()
  return heading
    .replace(/[*`]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\p{Extended_Pictographic}|\uFE0F|\u200D|\u20E3/gu, '')
    .trim()
    .replace(/^\d+[.)]?\s+/, '')
    .replace(/\s*(?:[(—–]|\s--?\s).*$/, '')
    .replace(/\s*:\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Only what is no letter may stand before a name; most other headings need no closer look. */
const anyName = new RegExp(`^[^a-z]*(?:${knownNames.join('|')})(?![a-z])`, 'i')

/** Which known section a heading names, compared exactly after normalising: `Output Format` names none. */
export function sectionNameOf(heading: string): SectionName | undefined {
  return anyName.test(heading) ? names.get(normaliseHeading(heading)) : undefined
}

/** The section that a heading stands for in a contract that has none of that name. */
export function otherSectionName(heading: string): SectionName | undefined {
  return otherNames.get(normaliseHeading(heading))
}

/** More letters, before a remark, than the longest name may have with a letter too many: no closer look is needed. */
const tooManyLetters = new RegExp(`^[A-Za-z ]{${Math.max(...knownNames.map((name) => name.length)) + 2}}`)

/** The known section name that a heading probably misspells, such as `outputs` for `Ouputs`. */
export function misspelledSection(heading: string): string | undefined {
  if (tooManyLetters.test(heading)) return undefined
  const normal = normaliseHeading(heading)
  if (normal.length < 4) return undefined
  // nearestName also takes "contains"; a longer heading that contains a name is a section of its own.
  let alike: string[] | undefined
  for (const name of knownNames) {
    if (Math.abs(name.length - normal.length) > 1) continue
    if (name[0] === normal[0] || name.at(-1) === normal.at(-1)) alike = [...(alike ?? []), name]
  }
  return alike && nearestName(normal, alike)
}
