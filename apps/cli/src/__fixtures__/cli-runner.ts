import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type CliEnvironment, runCli } from '../run-cli.js'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own for one test, removed afterwards. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'icm-cli-')))
  made.push(folder)
  return folder
}

export interface CliResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `icm` in this process, with a home of its own and no model but what the test gives. */
export function cliIn(folder: string, environment: Partial<CliEnvironment> = {}) {
  const home = join(folder, '.home')
  return async (...words: readonly string[]): Promise<CliResult> => {
    let stdout = ''
    let stderr = ''
    const code = await runCli(words, {
      currentFolder: folder,
      signal: new AbortController().signal,
      ...environment,
      // Port 9 (discard) is closed: no Ollama of this machine may take part in a unit test.
      env: { HOME: home, OLLAMA_HOST: '127.0.0.1:9', ...environment.env },
      stdout: { write: (text) => { stdout += text } },
      stderr: { write: (text) => { stderr += text } },
    })
    return { code, stdout, stderr }
  }
}
