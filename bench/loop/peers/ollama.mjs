// The vendor's client with a loop written by hand.
import { Ollama } from 'ollama'

export async function setup({ base, definitions, system, user, exec }) {
  const client = new Ollama({ host: base })
  const tools = definitions.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }))
  return async ({ model, pieces }) => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]
    for (;;) {
      const message =
        pieces === 0
          ? (await client.chat({ model, messages, tools })).message
          : await streamed(client, { model, messages, tools })
      messages.push(message)
      if (message.tool_calls === undefined) return { text: message.content }
      for (const { function: call } of message.tool_calls)
        messages.push({ role: 'tool', tool_name: call.name, content: await exec(call.name, call.arguments) })
    }
  }
}

async function streamed(client, request) {
  let content = ''
  for await (const part of await client.chat({ ...request, stream: true })) content += part.message.content
  return { role: 'assistant', content }
}
