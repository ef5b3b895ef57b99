import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { HostAddress } from './resolve-host.js'

/** One answer of a server, before any redirect is followed. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As sent, still compressed; at most `maxBytes`. */
  readonly body: Buffer
  /** The server sent more than `maxBytes`; the rest was not read. */
  readonly cut: boolean
}

export interface RequestOptions {
  /** The only addresses that may be connected to; the certificate is still checked against the URL's name. */
  readonly addresses: readonly HostAddress[]
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** GETs a URL once. Throws the system's error; an abort is an `AbortError`. */
export function requestOnce(url: URL, options: RequestOptions): Promise<HttpAnswer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(url, {
      // A pooled connection could lead to an address that was checked for another request.
      agent: false,
      lookup: pinnedLookup(options.addresses),
      headers: options.headers,
      signal: options.signal,
    })
    request.on('error', reject)
    request.on('response', (response) => {
      readBody(response, options.maxBytes).then(({ body, cut }) => {
        // Also ends a connection whose server would go on sending.
        request.destroy()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, cut })
      }, reject)
    })
    request.end()
  })
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes: Buffer = chunk
    if (size + bytes.length > maxBytes) {
      chunks.push(bytes.subarray(0, maxBytes - size))
      return { body: Buffer.concat(chunks), cut: true }
    }
    chunks.push(bytes)
    size += bytes.length
  }
  return { body: Buffer.concat(chunks), cut: false }
}

function pinnedLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}
