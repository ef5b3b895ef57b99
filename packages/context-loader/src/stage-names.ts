/** The parts of a stage folder's name: `01b-x` is number 1, letter `b`. */
export interface StageName {
  readonly number: number
  readonly letter: string
}

const numbered = /^(\d+)([a-z]?)[-_. ]/

/** Reads a folder name such as `01-scope`, `01_scope` or `01b-scope`; undefined when it names no stage. */
export function readStageName(name: string): StageName | undefined {
  const match = numbered.exec(name)
  return match?.[1] ? { number: Number(match[1]), letter: match[2] ?? '' } : undefined
}
