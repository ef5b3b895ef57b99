import { type ConformanceScenario, conformanceAnswers, describeChatModel } from '../testing/conformance.js'
import { type FakeOpenAiAnswer, startFakeOpenAi } from '../testing/index.js'
import { openaiCompatible } from './openai-compatible.js'

const { text, reasoning, toolCall, secondToolCall, toolResult, object } = conformanceAnswers

const answers: { readonly [scenario in ConformanceScenario]: FakeOpenAiAnswer } = {
  text,
  reasoning: { text, reasoning },
  'tool-call': { toolCalls: [toolCall] },
  'parallel-calls': { toolCalls: [toolCall, secondToolCall] },
  'tool-result': toolResult,
  'no-tools': text,
  schema: JSON.stringify(object),
  'aborted-signal': text,
  'abort-before-first-byte': { text, delayMs: 60_000 },
  'abort-mid-stream': { text, chunkDelayMs: 60_000 },
  'break-mid-stream': text,
  overflow: text,
}

for (const kind of ['ollama', 'llama-server', 'vllm'] as const) {
  describeChatModel(`openai (${kind})`, async (scenario) => {
    // Mid-stream scenarios wait for a text, which on two of the servers is the second chunk.
    const answer = answers[scenario]
    const later =
      scenario === 'abort-mid-stream' && kind !== 'ollama'
        ? { steps: [{ choices: [{ delta: { content: 'Hello' } }] }, { waitMs: 60_000 }] }
        : answer
    const fake = await startFakeOpenAi({ kind, models: ['m'], answer: () => later })
    return { model: openaiCompatible({ model: 'm', baseUrl: fake.baseUrl }), close: () => fake.close() }
  })
}
