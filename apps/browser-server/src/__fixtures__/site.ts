import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web server on a free loopback port that counts what it was asked for. */
export interface Site {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly origin: string
  readonly port: number
  /** Paths, in order. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

export async function startSite(answer: RequestListener): Promise<Site> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
