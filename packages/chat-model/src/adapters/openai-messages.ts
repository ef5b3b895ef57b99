import type { AssistantMessage, ChatRequest, Message, ToolSpec } from '../types.js'
import { toArgumentsObject } from './call-arguments.js'
import { toFormatSchema } from './format-schema.js'
import { withoutTemplateTokens } from './template-tokens.js'

/** One of our messages as `/v1/chat/completions` takes it. */
export function toOpenAiMessage(message: Message): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: withoutTemplateTokens(message.text) }
    case 'user': {
      const images = message.images ?? []
      const text = withoutTemplateTokens(message.text)
      if (images.length === 0) return { role: 'user', content: text }
      const parts = images.map(({ mimeType, base64 }) => ({
        type: 'image_url',
        image_url: { url: `data:${mimeType};base64,${base64}` },
      }))
      return { role: 'user', content: [{ type: 'text', text }, ...parts] }
    }
    case 'assistant':
      return toOpenAiAssistant(message)
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        name: message.toolName,
        content: withoutTemplateTokens(message.text),
      }
  }
}

/**
 * The thinking is replayed whole, under both names that servers have for it: `reasoning` (Ollama, vLLM from 0.11.2) and
 * `reasoning_content` (llama-server, vLLM before); the one that a server does not know it leaves aside.
 */
function toOpenAiAssistant(message: AssistantMessage): object {
  const calls = message.toolCalls ?? []
  return {
    role: 'assistant',
    content: message.text,
    ...(message.reasoning ? { reasoning: message.reasoning, reasoning_content: message.reasoning } : {}),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(toArgumentsObject(call.arguments)) },
          })),
        }),
  }
}

export function toOpenAiTool(tool: ToolSpec): object {
  const { name, description, inputSchema } = tool
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

/** The tools that are sent: none for `'none'`. */
export function offeredTools(request: ChatRequest): readonly ToolSpec[] {
  return request.toolChoice === 'none' ? [] : (request.tools ?? [])
}

/** What follows the messages in the body; keys that are undefined are not sent. */
export function openAiTail(request: ChatRequest, extra: object): object {
  const hasTools = offeredTools(request).length > 0
  return {
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    seed: request.seed,
    tool_choice: hasTools ? toolChoice(request) : undefined,
    // Never together with tools: then most servers call none (field report B14).
    response_format:
      hasTools || request.outputSchema === undefined
        ? undefined
        : {
            type: 'json_schema',
            json_schema: { name: 'answer', schema: toFormatSchema(request.outputSchema), strict: true },
          },
    ...extra,
  }
}

function toolChoice({ toolChoice }: ChatRequest): string | object | undefined {
  if (typeof toolChoice === 'object') return { type: 'function', function: { name: toolChoice.name } }
  return toolChoice === 'required' ? 'required' : undefined
}
