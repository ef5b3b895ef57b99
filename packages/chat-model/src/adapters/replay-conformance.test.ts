import { type ConformanceScenario, conformanceAnswers, describeChatModel } from '../testing/conformance.js'
import { type ScriptedStep, scripted } from '../testing/scripted.js'
import type { AssistantMessage, ChatModel } from '../types.js'
import { type Exchange, parseCassette, record, replay, serializeCassette } from './replay.js'

const { text, reasoning, toolCall, secondToolCall, toolResult, object } = conformanceAnswers

function calls(...list: { name: string; arguments: unknown }[]): AssistantMessage {
  const toolCalls = list.map((call, index) => ({ id: `c-${index}`, ...call }))
  return { role: 'assistant', text: '', toolCalls }
}

const scripts: { readonly [scenario in ConformanceScenario]: readonly ScriptedStep[] } = {
  text: [text],
  reasoning: [{ role: 'assistant', text, reasoning }],
  'tool-call': [calls(toolCall)],
  'parallel-calls': [calls(toolCall, secondToolCall)],
  'tool-result': [toolResult],
  'no-tools': [text],
  schema: [JSON.stringify(object)],
  'aborted-signal': [],
  'abort-before-first-byte': [text],
  'abort-mid-stream': [text],
  'break-mid-stream': [text, text],
  overflow: [],
}

/** A model that records each answer of a script, and then replays it from the text of its cassette. */
function recordedAndReplayed(steps: readonly ScriptedStep[], delayMs: number): ChatModel {
  const source = scripted(steps)
  return {
    id: source.id,
    async *stream(request) {
      request.signal?.throwIfAborted()
      const { signal: _, ...unsigned } = request
      const exchanges: Exchange[] = []
      const recorder = record(source, (exchange) => void exchanges.push(exchange))
      for await (const _event of recorder.stream(unsigned));
      const cassette = parseCassette(serializeCassette({ version: 1, model: recorder.id, exchanges }))
      yield* replay({ cassette, delayMs }).stream(request)
    },
  }
}

const without = ['overflow'] as const

describeChatModel(
  'replay',
  (scenario) => {
    const delayMs = scenario === 'abort-before-first-byte' ? 60_000 : 0
    return { model: recordedAndReplayed(scripts[scenario], delayMs) }
  },
  { without },
)

describeChatModel('record', (scenario) => ({ model: record(scripted(scripts[scenario]), () => {}) }), {
  // A scripted model is never silent.
  without: [...without, 'abort-before-first-byte'],
})
