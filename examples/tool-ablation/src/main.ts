import { IcmError } from '@icm/errors'
import { readOptions, usage } from './read-options.js'
import { runProgram } from './run-program.js'

const INTERRUPTED = 130

/** Exit codes: 0 done, 1 failed, 2 wrong options, 130 interrupted or out of time. */
async function main(): Promise<number> {
  const stop = new AbortController()
  try {
    const options = readOptions(process.argv.slice(2))
    if (options === undefined) {
      process.stdout.write(usage)
      return 0
    }
    process.once('SIGINT', () => stop.abort())
    if (options.maxMinutes !== undefined) setTimeout(() => stop.abort(), options.maxMinutes * 60_000).unref()
    const output = {
      write: (text: string) => process.stderr.write(text),
      print: (text: string) => process.stdout.write(text),
      isTerminal: process.stderr.isTTY === true,
    }
    await runProgram(options, output, stop.signal)
    return 0
  } catch (error) {
    if (stop.signal.aborted) {
      process.stderr.write('\nStopped before the end. The same call goes on where this one stopped.\n')
      return INTERRUPTED
    }
    if (!IcmError.isInstance(error)) throw error
    process.stderr.write(`\n${error.message}\n`)
    return error.code === 'ablation/bad-option' ? 2 : 1
  }
}

process.exitCode = await main()
