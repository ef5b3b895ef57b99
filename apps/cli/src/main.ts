import { createInterface } from 'node:readline/promises'
import { runCli } from './run-cli.js'

const interrupted = new AbortController()
process.on('SIGINT', () => {
  // A second Ctrl-C does not wait for anything.
  if (interrupted.signal.aborted) process.exit(130)
  interrupted.abort(new DOMException('interrupted by the user', 'AbortError'))
})
process.on('SIGTERM', () => interrupted.abort(new DOMException('ended by SIGTERM', 'AbortError')))
// A reader that leaves early (`icm status | head`) ends the command as Ctrl-C does, so that locks and servers go too.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => interrupted.abort(new DOMException('the output was closed', 'AbortError')))
}

const hasTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true

/** Ctrl-D and an empty answer are a no. */
async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // While readline reads, Ctrl-C comes to it and not to the process.
  terminal.on('SIGINT', () => interrupted.abort(new DOMException('interrupted by the user', 'AbortError')))
  const closed = new Promise<string>((done) => terminal.once('close', () => done('')))
  try {
    const answer = await Promise.race([
      terminal.question(`${question} [y/N] `, { signal: interrupted.signal }),
      closed,
    ])
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
