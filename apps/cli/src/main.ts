import { createInterface } from 'node:readline/promises'
import { runCli } from './run-cli.js'

const interrupted = new AbortController()
process.on('SIGINT', () => {
  // A second Ctrl-C does not wait for anything.
  if (interrupted.signal.aborted) process.exit(130)
  interrupted.abort(new DOMException('interrupted by the user', 'AbortError'))
})
process.on('SIGTERM', () => interrupted.abort(new DOMException('ended by SIGTERM', 'AbortError')))
// A reader that has seen enough (`icm probe 1 | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const hasTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: interrupted.signal })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  currentFolder: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
  ...(hasTerminal ? { ask } : {}),
})
