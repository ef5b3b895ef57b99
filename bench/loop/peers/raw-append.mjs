// The lowest floor we know: node:http on a kept connection, each message serialised once into a growing buffer.
import { Agent, request } from 'node:http'

export async function setup({ base, definitions, system, user, exec }) {
  const tools = definitions.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }))
  const agent = new Agent({ keepAlive: true })
  const end = Buffer.from(']}')
  const post = (body) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length + end.length }
      const wire = request(`${base}/api/chat`, { agent, method: 'POST', headers }, (response) => {
        const parts = []
        response.on('data', (part) => parts.push(part))
        response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')))
        response.on('error', reject)
      })
      wire.on('error', reject)
      wire.cork()
      wire.write(body)
      wire.end(end)
    })
  const toolsText = JSON.stringify(tools)
  return async ({ model }) => {
    let buffer = Buffer.allocUnsafe(toolsText.length + 65_536)
    let length = 0
    const append = (text) => {
      const most = length + text.length * 3
      if (most > buffer.length) {
        const larger = Buffer.allocUnsafe(2 * most)
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      length += buffer.write(text, length)
    }
    append(`{"model":${JSON.stringify(model)},"stream":false,"tools":${toolsText},"messages":[`)
    append(
      `${JSON.stringify({ role: 'system', content: system })},${JSON.stringify({ role: 'user', content: user })}`,
    )
    for (;;) {
      const { message } = JSON.parse(await post(buffer.subarray(0, length)))
      append(`,${JSON.stringify(message)}`)
      if (message.tool_calls === undefined) return { text: message.content }
      for (const { function: call } of message.tool_calls)
        append(
          `,${JSON.stringify({ role: 'tool', tool_name: call.name, content: await exec(call.name, call.arguments) })}`,
        )
    }
  }
}
