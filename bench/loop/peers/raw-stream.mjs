// The floor of streaming: fetch, lines split by hand.
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
        body: JSON.stringify({ model, messages, tools, stream: true }),
      })
      const decoder = new TextDecoder()
      const calls = []
      let content = ''
      let rest = ''
      for await (const part of response.body) {
        rest += decoder.decode(part, { stream: true })
        let start = 0
        for (let stop = rest.indexOf('\n'); stop !== -1; stop = rest.indexOf('\n', start)) {
          const { message } = JSON.parse(rest.slice(start, stop))
          start = stop + 1
          content += message.content
          calls.push(...(message.tool_calls ?? []))
        }
        rest = rest.slice(start)
      }
      messages.push({ role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) })
      if (calls.length === 0) return { text: content }
      for (const { function: call } of calls)
        messages.push({ role: 'tool', tool_name: call.name, content: await exec(call.name, call.arguments) })
    }
  }
}
