import { Agent, type RequestOptions } from 'node:http'
import { urlToHttpOptions } from 'node:url'

const agents = new Map<string, Agent>()

/** Keeps connections for the next call of a loop; one that is kept does not keep the process alive. */
export async function createAgent(protocol: string): Promise<Agent> {
  const options = { keepAlive: true, maxFreeSockets: 4, timeout: keptForMs }
  const agent = protocol === 'https:' ? new (await import('node:https')).Agent(options) : new Agent(options)
  agents.set(protocol, agent)
  return agent
}

/** The agent of earlier calls, if there were any. */
export function knownAgent(protocol: string): Agent | undefined {
  return agents.get(protocol)
}

const keptForMs = 15_000

const addresses = new WeakMap<URL, RequestOptions>()

/** A URL in the form in which node:http wants it; made once for each, because a model calls the same one each time. */
export function addressOf(url: URL): RequestOptions {
  const known = addresses.get(url)
  if (known !== undefined) return known
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(url)
  const address: RequestOptions = { protocol, hostname, port, path, auth }
  addresses.set(url, address)
  return address
}
