// @ts-nocheck: plain JavaScript, run as a child process.
// A small MCP server over the SDK's own stdio transport, for tests of the host.
import { setTimeout as sleep } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const server = new McpServer({ name: 'fixture', version: '1.0.0' })
const text = (value) => ({ content: [{ type: 'text', text: value }] })

server.registerTool(
  'echo_text',
  { description: 'Returns its text.', inputSchema: { text: z.string() }, annotations: { readOnlyHint: true } },
  async (args) => text(args.text),
)
server.registerTool('read_variable', { description: 'Reads a variable.', inputSchema: { name: z.string() } }, async (args) =>
  text(process.env[args.name] ?? 'not set'),
)
server.registerTool('fail_always', { description: 'Fails.', inputSchema: {} }, async () => {
  throw new Error('the disk is on fire')
})
server.registerTool('return_nothing', { description: 'Returns nothing.', inputSchema: {} }, async () => ({ content: [] }))
server.registerTool(
  'work_slowly',
  { description: 'Reports progress.', inputSchema: { steps: z.number().int(), stepMs: z.number().int() } },
  async (args, extra) => {
    for (let done = 1; done <= args.steps; done++) {
      await sleep(args.stepMs, undefined, { signal: extra.signal }).catch(() => {})
      if (extra.signal.aborted) {
        console.error(`cancelled: ${extra.signal.reason}`)
        return text('cancelled')
      }
      const token = extra._meta?.progressToken
      if (token === undefined) continue
      const params = { progressToken: token, progress: done, total: args.steps }
      await extra.sendNotification({ method: 'notifications/progress', params })
    }
    return text('finished')
  },
)
server.registerTool('wait_silently', { description: 'Never answers.', inputSchema: {} }, async (_args, extra) => {
  console.error('waiting')
  await new Promise((resolve) => extra.signal.addEventListener('abort', resolve))
  console.error(`cancelled: ${extra.signal.reason}`)
  return text('cancelled')
})
server.registerTool('end_process', { description: 'Ends the server.', inputSchema: { code: z.number() } }, async (args) => {
  process.exit(args.code)
})

console.error('fixture server ready')
await server.connect(new StdioServerTransport())
