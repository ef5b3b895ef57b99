import type { ToolCall } from '@icm/chat-model'
import { addressPattern } from './addresses.js'
import type { StageTools } from './types.js'

const listedAddresses = 6

/**
 * Tools that answer a failed fetch from the real state: small models call addresses that no search has returned, so
 * the error names the addresses that inputs, searches and pages have really shown (nearest first, at most six).
 */
export function withSeenAddresses(tools: StageTools, texts: readonly string[]): StageTools {
  const seen = new Set<string>()
  const learn = (text: string) => {
    for (const [address] of text.matchAll(addressPattern)) seen.add(address)
  }
  for (const text of texts) learn(text)
  return {
    specs: () => tools.specs(),
    ...(tools.keyOf === undefined ? {} : { keyOf: (call: ToolCall) => tools.keyOf?.(call) ?? '' }),
    isRepeatable: (name) => tools.isRepeatable?.(name) ?? false,
    addressParameters: (name) => tools.addressParameters?.(name) ?? [],
    close: async () => tools.close?.(),
    async run(call, options) {
      const answer = await tools.run(call, options)
      if (answer.status === 'ok') learn(answer.text)
      const parameters = tools.addressParameters?.(call.name) ?? []
      if (answer.status !== 'error' || parameters.length === 0) return answer
      return { ...answer, text: `${answer.text}\n${shownSoFar(seen, askedFor(call.arguments, parameters))}` }
    },
  }
}

function shownSoFar(seen: ReadonlySet<string>, asked: string): string {
  if (seen.size === 0)
    return 'No address has been shown so far: search first, then read an address from its results.'
  const ranked = [...seen].sort((left, right) => sharedLetters(right, asked) - sharedLetters(left, asked))
  const shown = ranked.slice(0, listedAddresses).map((address) => `- ${address}`)
  return ['Addresses shown so far (copy one exactly):', ...shown].join('\n')
}

function askedFor(value: unknown, parameters: readonly string[]): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return parameters
    .map((name) => (value as Record<string, unknown>)[name])
    .filter((part) => part !== undefined)
    .join(' ')
}

function sharedLetters(address: string, asked: string): number {
  const pairs = (text: string) =>
    new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)))
  const wanted = pairs(asked.toLowerCase())
  return [...pairs(address.toLowerCase())].filter((pair) => wanted.has(pair)).length
}
