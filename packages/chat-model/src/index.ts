export { ChatModelError, type ChatModelErrorCode } from './errors.js'
export { estimateTokens } from './estimate-tokens.js'
export { generate } from './generate.js'
export { type GenerateObjectRequest, generateObject } from './generate-object.js'
export { queueCalls } from './queue-calls.js'
export {
  looksLikeToolCall,
  type RecoveredToolCall,
  recoverToolCalls,
  type ToolCallAttempt,
} from './recover-tool-calls.js'
export type {
  AssistantMessage,
  ChatEvent,
  ChatModel,
  ChatRequest,
  ChatResponse,
  FinishReason,
  ImagePart,
  Message,
  ToolCall,
  ToolChoice,
  ToolSpec,
  Usage,
} from './types.js'
