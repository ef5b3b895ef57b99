// A program with one option, whose value is the answer of its only tool; the value "bad" keeps it from starting.
import { createToolRegistry, defineTool } from '@icm/tool-registry'
import { createRegistryServer } from '../registry-server.js'
import { serveFromCommandLine } from '../serve-from-command-line.js'

await serveFromCommandLine({
  name: 'answer-server',
  version: '1.2.3',
  usage: 'Usage: answer-server --answer <text>\n',
  options: { answer: { type: 'string', default: 'none' } },
  createServer: ({ answer }) => {
    if (answer === 'bad') throw new TypeError('not this one')
    const say = defineTool({
      name: 'say_answer',
      description: 'Says the answer.',
      input: { type: 'object', properties: {} },
      idempotent: true,
      trust: 'sandbox',
      blastRadius: () => 0,
      run: () => answer,
    })
    const registry = createToolRegistry({ tools: [say] })
    return createRegistryServer(registry, { name: 'answer-server', version: '1.2.3' })
  },
})
