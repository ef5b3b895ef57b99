import type { AgentOptions, TooEarly } from '@icm/agent-loop'
import { addressPattern } from './addresses.js'
import type { StageTools } from './types.js'

type LookUpFirst = NonNullable<AgentOptions['tooEarly']>

/**
 * What a stage with tools must have done before its output counts: called a tool, and, where pages were found and a
 * tool that reads pages is allowed, read one. Small models answer from memory, or from the lines of a search result;
 * the text that sends them back names the next call with a real address.
 */
export function lookUpFirst(tools: StageTools): LookUpFirst {
  const readers = tools.specs().flatMap(({ name }) => {
    const [parameter] = tools.addressParameters?.(name) ?? []
    return parameter === undefined ? [] : [{ name, parameter }]
  })
  const find = findFirst(tools, readers)
  return (steps) => {
    const ran = steps.flatMap((step) => step.tools).filter((tool) => tool.notRun === undefined)
    if (ran.length === 0) {
      return { prompt: 'Nothing has been looked up yet. Call a tool first: one tool call and nothing else.' }
    }
    const [reader] = readers
    const hasRead = ran.some(
      ({ call, answer }) => answer.status === 'ok' && readers.some(({ name }) => name === call.name),
    )
    if (reader === undefined || hasRead) return undefined
    const shown = ran
      .filter(({ answer }) => answer.status === 'ok')
      .flatMap(({ answer }) => answer.text.match(addressPattern) ?? [])
    const [address] = shown
    if (address === undefined) {
      const hasSearched = ran.some(({ call, answer }) => answer.status === 'ok' || call.name === find?.tool)
      return hasSearched ? undefined : find
    }
    const call = JSON.stringify({ name: reader.name, arguments: { [reader.parameter]: address } })
    const prompt = `You have found pages and read none. Read one now, with one tool call and nothing else, for example: ${call}`
    return { prompt, tool: reader.name }
  }
}

/** After readers that failed, because the model made an address up: find a page before another one is read. */
function findFirst(tools: StageTools, readers: readonly { readonly name: string }[]): TooEarly | undefined {
  const finder = tools.specs().find(({ name }) => readers.every((reader) => reader.name !== name))
  if (finder === undefined) return undefined
  const prompt = `No page has been read: every call failed. Find pages first: call ${finder.name}, with one tool call and nothing else.`
  return { prompt, tool: finder.name }
}
