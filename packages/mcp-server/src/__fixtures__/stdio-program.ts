// A program that serves a registry over stdio and prints where it must not. Its first argument is a mode.
import { createToolRegistry, defineTool } from '@icm/tool-registry'
import { createMcpServer } from '../create-mcp-server.js'
import { serveStdio } from '../serve-stdio.js'

const mode = process.argv[2]
const server = createMcpServer(
  createToolRegistry({
    tools: [
      defineTool({
        name: 'echo_text',
        description: 'Returns its text.',
        input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        idempotent: true,
        trust: 'sandbox',
        blastRadius: () => 0,
        run: ({ text }) => {
          console.log('printed by a tool')
          process.stdout.write('written by a tool\n')
          return String(text)
        },
      }),
      defineTool({
        name: 'wait_long',
        description: 'Waits until it is aborted.',
        input: { type: 'object', properties: {} },
        idempotent: true,
        trust: 'sandbox',
        blastRadius: () => 0,
        run: (_, { signal }) =>
          new Promise<string>((resolve) => {
            console.error('waiting')
            signal.addEventListener('abort', () => {
              console.error('aborted')
              resolve('')
            })
          }),
      }),
    ],
  }),
  { name: 'fixture', version: '1.0.0' },
)
setInterval(() => {}, 1_000) // as any server has that holds a timer, a socket or a browser
if (mode === 'slow-cleanup') await serveStdio(server, { onClose: () => new Promise(() => {}) })
else await serveStdio(server, { onClose: () => console.error('cleaned up') })
console.log('printed after the start')
console.error('listening')
