// The floor with fetch: whole answers, the history serialised anew each turn.
export async function setup({ base, definitions, system, user, exec }) {
  const tools = definitions.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }))
  return async ({ model }) => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]
    for (;;) {
      const response = await fetch(`${base}/api/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages, tools, stream: false }),
      })
      const { message } = await response.json()
      messages.push(message)
      if (message.tool_calls === undefined) return { text: message.content }
      for (const { function: call } of message.tool_calls)
        messages.push({ role: 'tool', tool_name: call.name, content: await exec(call.name, call.arguments) })
    }
  }
}
