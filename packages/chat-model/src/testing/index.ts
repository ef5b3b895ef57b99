export type { FakeChatBody, FakeOllamaAnswer, FakeOllamaLine, FakeOllamaReply } from './fake-ollama-answer.js'
export {
  type FakeOllama,
  type FakeOllamaModel,
  type FakeOllamaOptions,
  type FakeOllamaRequest,
  startFakeOllama,
} from './fake-ollama-server.js'
export type { FakeOpenAiAnswer, FakeOpenAiKind, FakeOpenAiReply } from './fake-openai-answer.js'
export {
  type FakeOpenAi,
  type FakeOpenAiBody,
  type FakeOpenAiOptions,
  type FakeOpenAiRequest,
  startFakeOpenAi,
} from './fake-openai-server.js'
export { type ScriptedModel, type ScriptedOptions, type ScriptedStep, scripted } from './scripted.js'
export { type TinyModel, writeTinyGguf } from './write-tiny-gguf.js'
