import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A piece of a scripted stream: bytes as they are; a pause; the end of the connection without a proper end. */
export type FakeStep =
  | { readonly raw: string | Uint8Array }
  | { readonly waitMs: number }
  | { readonly cut: true }

/** One request, as it came and with a way to answer it. */
export interface FakeExchange {
  readonly path: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** Exactly what came over the wire. */
  readonly bodyText: string
  readonly response: ServerResponse
  /** Settles when the exchange is over: answered to its end, cut off by the script, or left by the client. */
  readonly ended: Promise<'answered' | 'cut' | 'client-left'>
  /** Ends the connection in the middle. */
  cut(): void
}

export interface FakeHttp {
  /** `http://127.0.0.1:<port>` */
  readonly host: string
  close(): Promise<void>
}

/** A real HTTP server on 127.0.0.1; what `handle` throws is shown to the client with status 500. */
export async function startFakeHttp(handle: (exchange: FakeExchange) => Promise<void>): Promise<FakeHttp> {
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => {
      // A script that throws must show in the test that runs it, not end the process.
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, { error: `the script threw: ${String(error)}` })
    })
  })
  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let wasCut = false
    const ended = once(response, 'close').then(() => {
      if (response.writableFinished) return 'answered' as const
      return wasCut ? ('cut' as const) : ('client-left' as const)
    })
    const cut = () => {
      wasCut = true
      response.destroy()
    }
    const { url: path = '', headers } = incoming
    await handle({ path, headers, bodyText: await readBody(incoming), response, ended, cut })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Plays steps, with a pause after each, and ends the answer; stops when the client leaves. */
export async function playSteps(
  exchange: FakeExchange,
  steps: Iterable<FakeStep>,
  pauseMs?: number,
): Promise<void> {
  const { response } = exchange
  const pause = pauseOf(response)
  for (const step of steps) {
    if (response.destroyed) return
    if ('waitMs' in step) await pause(step.waitMs)
    else if ('cut' in step) return exchange.cut()
    else await write(response, step.raw)
    await pause(pauseMs)
  }
  response.end()
}

/** A pause that ends early when the client leaves. */
export function pauseOf(response: ServerResponse): (ms: number | undefined) => Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  return async (ms) => {
    if (ms !== undefined) await wait(ms, undefined, { signal: left.signal }).catch(() => undefined)
  }
}

// Waits until the bytes are out, so that what the script writes before a cut really arrives.
function write(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()))
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' })
  response.end(text)
}

/** A text in the pieces in which a model streams it, a word each. */
export function pieces(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? []
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of incoming) parts.push(part as Uint8Array)
  return Buffer.concat(parts).toString('utf8')
}
