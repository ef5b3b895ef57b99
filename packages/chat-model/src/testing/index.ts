export type { FakeChatBody, FakeOllamaAnswer, FakeOllamaLine, FakeOllamaReply } from './fake-ollama-answer.js'
export {
  type FakeOllama,
  type FakeOllamaModel,
  type FakeOllamaOptions,
  type FakeOllamaRequest,
  startFakeOllama,
} from './fake-ollama-server.js'
export { type ScriptedModel, type ScriptedOptions, type ScriptedStep, scripted } from './scripted.js'
export { type TinyModel, writeTinyGguf } from './write-tiny-gguf.js'
