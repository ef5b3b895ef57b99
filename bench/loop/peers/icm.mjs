// @icm/agent-loop on @icm/chat-model/ollama, as built.
import { maxSteps, runAgent } from '../../../packages/agent-loop/dist/index.js'
import { ollama } from '../../../packages/chat-model/dist/adapters/ollama.js'

export async function setup({ base, definitions, system, user, exec }) {
  const models = new Map()
  const modelOf = (model) => {
    if (!models.has(model)) models.set(model, ollama({ model, host: base, contextWindow: 2 ** 22 }))
    return models.get(model)
  }
  const specs = definitions.map(({ name, description, schema }) => ({
    name,
    description,
    inputSchema: schema,
  }))
  const tools = {
    specs: () => specs,
    run: async (call) => ({ status: 'ok', text: await exec(call.name, call.arguments) }),
  }
  const messages = [
    { role: 'system', text: system },
    { role: 'user', text: user },
  ]
  return async ({ model, calls, pieces }) => {
    let text = ''
    const result = await runAgent({
      model: modelOf(model),
      messages,
      tools,
      stopWhen: maxSteps(calls + 5),
      onEvent:
        pieces === 0
          ? undefined
          : (event) => {
              if (event.type === 'model' && event.event.type === 'text-delta') text += event.event.text
            },
    })
    return { text: pieces === 0 ? result.text : text }
  }
}
