export { ChatModelError, type ChatModelErrorCode } from './errors.js'
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
  ToolSpec,
  Usage,
} from './types.js'
