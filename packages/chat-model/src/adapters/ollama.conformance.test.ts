import { type ConformanceScenario, conformanceAnswers, describeChatModel } from '../testing/conformance.js'
import { type FakeOllamaAnswer, startFakeOllama } from '../testing/index.js'
import { ollama } from './ollama.js'

const { text, reasoning, toolCall, secondToolCall, toolResult, object } = conformanceAnswers

const answers: { readonly [scenario in ConformanceScenario]: FakeOllamaAnswer } = {
  text,
  reasoning: { text, reasoning },
  'tool-call': { toolCalls: [toolCall] },
  'parallel-calls': { toolCalls: [toolCall, secondToolCall] },
  'tool-result': toolResult,
  'no-tools': text,
  schema: JSON.stringify(object),
  'aborted-signal': text,
  'abort-before-first-byte': { text, delayMs: 60_000 },
  'abort-mid-stream': { text, lineDelayMs: 60_000 },
  'break-mid-stream': text,
  overflow: text,
}

describeChatModel('ollama', async (scenario) => {
  const models = [{ name: 'm', capabilities: ['completion', 'tools', 'thinking'] }]
  const fake = await startFakeOllama({ models, answer: () => answers[scenario] })
  return { model: ollama({ model: 'm', host: fake.host, think: true }), close: () => fake.close() }
})
