import { spawn } from 'node:child_process'
import { DocumentToolsError } from './errors.js'

const MOST_CHARACTERS = 1_000_000

export interface ProgramRun {
  readonly command: string
  readonly words: readonly string[]
  readonly folder: string
  readonly signal: AbortSignal
}

export interface ProgramEnd {
  readonly exitCode: number | null
  readonly killedBy: NodeJS.Signals | null
  /** Standard output and standard error, as they came. */
  readonly output: string
  /** Characters that came after the first million. */
  readonly droppedCharacters: number
}

/**
 * Runs a program without a shell, in a process group of its own, with nothing to read and only PATH and the language of
 * this process's environment. The abort ends the whole group.
 * Throws `document/no-program` when it cannot be started, and `signal.reason`.
 */
export async function startProgram({ command, words, folder, signal }: ProgramRun): Promise<ProgramEnd> {
  signal.throwIfAborted()
  const child = spawn(command, [...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const endGroup = () => killGroup(child.pid)
  signal.addEventListener('abort', endGroup, { once: true })
  const chunks: string[] = []
  let kept = 0
  let droppedCharacters = 0
  const take = (text: string) => {
    const fitting = text.slice(0, MOST_CHARACTERS - kept)
    kept += fitting.length
    droppedCharacters += text.length - fitting.length
    chunks.push(fitting)
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take)
  try {
    const [exitCode, killedBy] = await new Promise<[number | null, NodeJS.Signals | null]>(
      (resolve, reject) => {
        child.on('error', (error) => reject(notStarted(command, error)))
        // A grandchild that holds the pipes would keep 'close' away for ever.
        child.on('exit', endGroup)
        child.on('close', (code, by) => resolve([code, by]))
      },
    )
    signal.throwIfAborted()
    return { exitCode, killedBy, output: chunks.join('').toWellFormed(), droppedCharacters }
  } finally {
    signal.removeEventListener('abort', endGroup)
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}

function notStarted(command: string, cause: Error): DocumentToolsError {
  return new DocumentToolsError(
    {
      code: 'document/no-program',
      what: `${command} was not started.`,
      why: `This machine has no such program (${'code' in cause ? cause.code : cause.message}).`,
      instead: 'Use another program of the list, or do without.',
    },
    { cause },
  )
}
