// AI SDK 7 with its community provider for Ollama; tools as JSON Schema.
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { createOllama } from 'ai-sdk-ollama'

export async function setup({ base, definitions, system, user, exec }) {
  const provider = createOllama({ baseURL: base })
  const tools = Object.fromEntries(
    definitions.map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema), execute: (given) => exec(name, given) }),
    ]),
  )
  return async ({ model, calls, pieces }) => {
    const request = {
      model: provider(model),
      instructions: system,
      prompt: user,
      tools,
      stopWhen: isStepCount(calls + 5),
      maxRetries: 0,
    }
    if (pieces === 0) return { text: (await generateText(request)).text }
    let text = ''
    for await (const piece of streamText(request).textStream) text += piece
    return { text }
  }
}
