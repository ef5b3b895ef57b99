// OpenAI Agents JS on chat completions; its tracing, which would call out, is off.
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'

setTracingDisabled(true)

export async function setup({ base, definitions, system, user, exec }) {
  const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'none', maxRetries: 0 })
  const tools = definitions.map(({ name, description, schema }) =>
    tool({
      name,
      description,
      strict: false,
      parameters: { ...schema, additionalProperties: true },
      execute: (given) => exec(name, given),
    }),
  )
  const agents = new Map()
  const agentOf = (model) => {
    if (!agents.has(model)) {
      agents.set(
        model,
        new Agent({
          name: 'bench',
          instructions: system,
          tools,
          model: new OpenAIChatCompletionsModel(client, model),
        }),
      )
    }
    return agents.get(model)
  }
  const runner = new Runner({ tracingDisabled: true })
  return async ({ model, calls, pieces }) => {
    const settings = { maxTurns: calls + 5 }
    if (pieces === 0) return { text: (await runner.run(agentOf(model), user, settings)).finalOutput }
    const run = await runner.run(agentOf(model), user, { ...settings, stream: true })
    let text = ''
    for await (const piece of run.toTextStream()) text += piece
    await run.completed
    return { text }
  }
}
