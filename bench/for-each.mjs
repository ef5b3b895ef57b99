// node bench/for-each.mjs --model=qwen2.5:0.5b: 20 items over one long prefix on a real Ollama. Ollama counts cached
// tokens as read, so what it really evaluated shows in the time alone: items 2 to 20 have to cost the time of their own
// tokens, at the speed at which the first item's prompt was read. OLLAMA_HOST says where the server is.
import { words } from './loop/job.mjs'
import { median, prepare } from './loop/processes.mjs'

const option = (name, otherwise) =>
  process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise
const items = Number(option('items', '20'))
const prefixCharacters = Number(option('prefix', '9900')) // about 1,500 tokens of a Qwen model
const itemCharacters = 900

prepare()
const { runAgent } = await import('../packages/agent-loop/dist/index.js')
const { ollama } = await import('../packages/chat-model/dist/adapters/ollama.js')
const model = ollama({ model: option('model', 'qwen2.5:0.5b') })
// Another seed for each start, so that nothing of an earlier measurement is in the server's cache.
const seed = 1 + (Date.now() % 1_000_000)
const system = `You sum up notes in one sentence.\n\n${words(prefixCharacters, seed)}`

async function read(text) {
  const messages = [
    { role: 'system', text: system },
    { role: 'user', text },
  ]
  const { steps } = await runAgent({ model, messages, maxOutputTokens: 16, temperature: 0 })
  const { inputTokens, promptMs } = steps[0].usage
  return { inputTokens, promptMs }
}

const first = await read('Note 1.')
const msPerToken = first.promptMs / first.inputTokens
console.log(`prefix with the first item: ${first.inputTokens} tokens in ${first.promptMs.toFixed(0)} ms`)
const shares = []
for (let item = 2; item <= items; item++) {
  const { inputTokens, promptMs } = await read(`Note ${item}: ${words(itemCharacters, seed + item)}`)
  const own = inputTokens - first.inputTokens
  const expected = own * msPerToken
  const whole = inputTokens * msPerToken
  console.log(
    `item ${item}: ${inputTokens} tokens, ${own} its own: ${promptMs.toFixed(0)} ms, own tokens ${expected.toFixed(0)} ms, all would be ${whole.toFixed(0)} ms`,
  )
  shares.push(promptMs / expected)
}
// Short prompts are read at another speed than long ones; twice is far from the whole, which is about eight times.
const ratio = median(shares)
console.log(
  `${ratio < 2 ? 'ok    ' : 'MISSED'}  median time / time of the own tokens: ${ratio.toFixed(2)}, at most 2`,
)
process.exit(ratio < 2 ? 0 : 1)
