/** The real standard output, for the one writer that may use it. */
export interface StdoutGuard {
  readonly write: (text: string) => boolean
  /** Gives `process.stdout` back. */
  readonly release: () => void
}

/**
 * Sends everything that is written to `process.stdout` (`console.log` included) to standard error, because on a
 * stdio server one stray line glues itself to a JSON-RPC message and loses it (field reports F02, F03).
 * Call it before anything that may print is loaded.
 */
export function guardStdout(): StdoutGuard {
  const { stdout, stderr } = process
  const original = stdout.write
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return {
    write: (text) => original.call(stdout, text),
    release: () => {
      stdout.write = original
    },
  }
}
