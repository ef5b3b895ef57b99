import type { AssistantMessage, Message, ToolCall } from '@icm/chat-model'
import { runAgent } from '../run-agent.js'
import type { AgentEvent, AgentOptions, ToolAnswer, ToolRunner } from '../types.js'

export const messages: readonly Message[] = [
  { role: 'system', text: 'You look words up.' },
  { role: 'user', text: 'Look up tea.' },
]

export const lookUp = {
  name: 'look_up',
  description: 'Looks a word up.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
}

export interface TestTools extends ToolRunner {
  readonly executed: readonly ToolCall[]
}

/** One tool, `look_up`; a word maps to its answer, default `ok: <word>`. */
export function testTools(answers: { readonly [word: string]: Partial<ToolAnswer> } = {}): TestTools {
  const executed: ToolCall[] = []
  return {
    executed,
    specs: () => [lookUp],
    async run(call) {
      executed.push(call)
      const callKey = JSON.stringify([call.name, call.arguments])
      if (call.name !== lookUp.name) {
        return { status: 'error', text: `No tool "${call.name}". Tools: look_up.`, callKey }
      }
      const { word } = call.arguments as { word: string }
      return { status: 'ok', text: `ok: ${word}`, callKey, ...answers[word] }
    },
  }
}

let minted = 0

/** An answer with native calls of `look_up`. */
export function calls(...words: readonly string[]): AssistantMessage {
  const toolCalls = words.map((word) => ({ id: `call-${++minted}`, name: 'look_up', arguments: { word } }))
  return { role: 'assistant', text: '', toolCalls }
}

/** The names of events, without the text deltas. */
export function typesOf(events: readonly AgentEvent[]): readonly string[] {
  return events.filter((event) => event.type !== 'model').map((event) => event.type)
}

/** Runs to the end and gives every event with the result. */
export async function collect(options: AgentOptions) {
  const events: AgentEvent[] = []
  const result = await runAgent({ ...options, onEvent: (event) => void events.push(event) })
  return { events, result }
}
