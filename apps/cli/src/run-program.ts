import { createInterface } from 'node:readline/promises'
import { exitInterrupted } from './native-exit.js'
import type { Ask, CliEnvironment } from './run-cli.js'
import { canRewrite } from './style.js'

/** How long an interrupted command may take to clean up; a person who pressed Ctrl-C feels more than this. */
const cleanUpWithinMs = 250

/**
 * Runs `run` as this process: with its streams and a signal that Ctrl-C, SIGTERM, SIGHUP and a closed output abort;
 * its exit code becomes that of the process. An interrupted command has a moment to clean up, then the process ends
 * whatever is still under way; a second Ctrl-C does not wait at all.
 */
export async function runProgram(run: (environment: CliEnvironment) => Promise<number>): Promise<void> {
  const interrupted = new AbortController()
  const interrupt = (why: string) => {
    if (interrupted.signal.aborted) return
    setTimeout(() => {
      process.stderr.write('\ninterrupted\n')
      exitInterrupted()
    }, cleanUpWithinMs)
    interrupted.abort(new DOMException(why, 'AbortError'))
  }
  process.on('SIGINT', () => {
    if (interrupted.signal.aborted) exitInterrupted()
    interrupt('interrupted by the user')
  })
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupt(`ended by ${name}`))
  // A reader that leaves early (`icm status | head`) ends the command as Ctrl-C does, so that locks and servers go too.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => interrupt('the output was closed'))

  const hasTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const code = await run({
    env: process.env,
    currentFolder: process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interrupted.signal,
    ...(hasTerminal
      ? { ask: createAsk(interrupted.signal, () => interrupt('interrupted by the user')) }
      : {}),
  })
  if (!interrupted.signal.aborted) process.exitCode = code
  else if (code === 130) exitInterrupted()
  else process.exit(code)
}

function createAsk(signal: AbortSignal, onInterrupt: () => void): Ask {
  return async (question, { enterMeans = 'no' } = {}) => {
    const terminal = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: canRewrite(process.stdout, process.env),
    })
    // While readline reads, Ctrl-C comes to it and not to the process.
    terminal.on('SIGINT', onInterrupt)
    const closed = new Promise<undefined>((done) => terminal.once('close', () => done(undefined)))
    try {
      const hint = enterMeans === 'yes' ? '[Y/n]' : '[y/N]'
      const answer = await Promise.race([terminal.question(`${question} ${hint} `, { signal }), closed])
      if (answer === undefined) process.stdout.write('\n') // Ctrl-D leaves the cursor behind the question
      return answer !== undefined && /^y(es)?$/i.test(answer.trim() || enterMeans)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      terminal.close()
    }
  }
}
