// node scripts/tool-requests.mjs --model=qwen2.5-coder:1.5b [--at-least=19] [--requests=<file>] [--only=3,7] [--show]
// Runs a set of tool requests through the agent loop on a real Ollama and prints how each call came: as a native call,
// recovered from the text, or not at all. See tool-requests/README.md. OLLAMA_HOST says where the server is.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatResults, runRequest } from './tool-requests/run-requests.mjs'

const root = join(import.meta.dirname, '..')
const { env } = process
const shared = env.ICM_SHARED ?? join(root, '..', 'shared')
/** @param {string} name */
const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const file = option('requests') ?? join(shared, 'lab', 'tool-requests-20.json')
const modelName = option('model')
const atLeast = Number(option('at-least') ?? 0)
const only = option('only')?.split(',').map(Number)

if (modelName === undefined || Number.isNaN(atLeast)) usage('Give --model=<name> of a model on the server.')
if (!existsSync(file))
  usage(`${file} is not there. Name the requests with --requests=<file>, or set ICM_SHARED.`)
/** @type {(name: string, path?: string) => string} */
const built = (name, path = 'index') => join(root, 'packages', name, 'dist', `${path}.js`)
if (!existsSync(built('tool-registry'))) usage('The packages are not built. Run: npm run build')

const loop = await import(built('agent-loop'))
const registry = await import(built('tool-registry'))
const { ollama } = await import(built('chat-model', 'adapters/ollama'))
const model = ollama({ model: modelName })

const results = []
const requests = JSON.parse(readFileSync(file, 'utf8'))
for (const [index, request] of requests.entries()) {
  if (only !== undefined && !only.includes(index + 1)) continue
  const show = process.argv.includes('--show')
    ? (/** @type {string} */ text) => console.log(`${index + 1}: ${text}`)
    : undefined
  results.push(await runRequest(request, { model, loop, registry, onAnswer: show }))
  process.stderr.write('.')
}
process.stderr.write('\n')
process.stdout.write(formatResults(results))
const right = results.filter(({ isRight }) => isRight).length
if (right < atLeast) {
  console.error(`${modelName}: ${right} right, at least ${atLeast} wanted`)
  process.exit(1)
}

/** @param {string} text */
function usage(text) {
  console.error(text)
  process.exit(2)
}
