/** A program that a model may run, and all that it may say to it. */
export interface AllowedProgram {
  /** Looked up in PATH; never a shell. */
  readonly command: string
  /** For the model, in a few words. */
  readonly about: string
  /** The only options that are passed on; each as one word. */
  readonly options: readonly string[]
  /** Whether it changes each file that it is given. Without it a call is a read. */
  readonly changesFiles?: boolean
  /** Where what it changes can be had back. */
  readonly backup?: string
  /** Exit codes that are an answer and not a failure; default 0. */
  readonly exitCodes?: readonly number[]
}

/** The allowlist, by the name that the model uses. */
export interface AllowedPrograms {
  readonly [name: string]: AllowedProgram
}

/** Programs of every Unix that can do no more than is said here: none of these options names a file or a program. */
export const defaultPrograms: AllowedPrograms = {
  wc: { command: 'wc', about: 'counts lines, words, bytes', options: ['-l', '-w', '-c', '-m'] },
  sort: { command: 'sort', about: 'prints sorted lines', options: ['-n', '-r', '-u', '-f'] },
  diff: {
    command: 'diff',
    about: 'compares two files',
    options: ['-u', '-q', '-i', '-w'],
    exitCodes: [0, 1],
  },
  sha256sum: { command: 'sha256sum', about: 'prints checksums', options: [] },
  gzip: {
    command: 'gzip',
    about: 'compresses each file in place',
    options: ['-1', '-9'],
    changesFiles: true,
    backup: 'Nothing is lost: gunzip gives each file back.',
  },
}
