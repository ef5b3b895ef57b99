import { Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { guardStdout } from './guard-stdout.js'

export interface ServeStdioOptions {
  /** Releases what the server holds (a browser, files) before the process ends; waited for at most 5 seconds. */
  readonly onClose?: () => Promise<void> | void
}

const MAX_CLEANUP_MS = 5_000

/**
 * Serves over standard input and output, and ends the process when the client goes away: at the end of standard
 * input, on a broken pipe, on SIGTERM and SIGINT. Calls that are still running are aborted first.
 *
 * From its first statement on, standard output carries nothing but JSON-RPC: all other writing goes to standard error.
 * Resolves once the server listens.
 */
export async function serveStdio(server: Server, options: ServeStdioOptions = {}): Promise<void> {
  const guard = guardStdout()
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  let ending = false
  const end = (exitCode: number) => {
    if (ending) return
    ending = true
    void cleanUp(server, options).finally(() => process.exit(exitCode))
  }
  process.stdin.once('end', () => end(0))
  process.stdin.once('close', () => end(0))
  process.stdin.once('error', () => end(1))
  process.stdout.once('error', () => end(0)) // EPIPE: the client closed its end
  process.once('SIGTERM', () => end(0))
  process.once('SIGINT', () => end(0))
  const stdout = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      if (guard.write(chunk)) done()
      else process.stdout.once('drain', done)
    },
  })
  await server.connect(new StdioServerTransport(process.stdin, stdout))
}

async function cleanUp(server: Server, { onClose }: ServeStdioOptions): Promise<void> {
  const deadline = new Promise<void>((resolve) => {
    setTimeout(resolve, MAX_CLEANUP_MS).unref()
  })
  const work = Promise.allSettled([server.close(), Promise.resolve().then(() => onClose?.())])
  await Promise.race([work, deadline])
}
