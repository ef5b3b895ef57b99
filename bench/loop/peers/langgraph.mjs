// LangGraph.js: the prebuilt agent on ChatOllama.
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOllama } from '@langchain/ollama'

export async function setup({ base, definitions, system, user, exec }) {
  const tools = definitions.map(({ name, description, schema }) =>
    tool((given) => exec(name, given), { name, description, schema }),
  )
  const agents = new Map()
  const agentOf = (model) => {
    if (!agents.has(model)) {
      const llm = new ChatOllama({ model, baseUrl: base, maxRetries: 0 })
      agents.set(model, createReactAgent({ llm, tools, prompt: system }))
    }
    return agents.get(model)
  }
  return async ({ model, calls, pieces }) => {
    const input = { messages: [{ role: 'user', content: user }] }
    const settings = { recursionLimit: 2 * calls + 20 }
    if (pieces === 0) return { text: (await agentOf(model).invoke(input, settings)).messages.at(-1).content }
    let text = ''
    for await (const [message] of await agentOf(model).stream(input, {
      ...settings,
      streamMode: 'messages',
    })) {
      if (message.getType() === 'ai' && typeof message.content === 'string') text += message.content
    }
    return { text }
  }
}
