// Makes calls that must not happen twice, in a process of its own: `effect-program <folder> <log> <mode> <count> [first]`.
// `one`: `count` calls of one effect; `many`: one call each of `count` effects, from number `first` on. Prints a line
// for each call.
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToolRegistry } from '../create-registry.js'
import { defineTool } from '../define-tool.js'
import { openEffectStore } from '../open-effect-store.js'

const [folder = '', log = '', mode = 'one', count = '1', first = '0'] = process.argv.slice(2)

const registry = createToolRegistry({
  tools: [
    defineTool({
      name: 'send_mail',
      description: 'Sends a mail.',
      input: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
      output: 'trusted',
      idempotent: false,
      blastRadius: () => 1,
      // Calls wait for one another for as long as a busy machine may need.
      timeoutMs: 240_000,
      run: async ({ number }) => {
        await sleep(1)
        appendFileSync(log, `${number}\n`)
        await sleep(1)
        return `sent mail ${number}`
      },
    }),
  ],
  session: { trust: 'host' },
  effects: { store: openEffectStore(folder), run: 'run-1' },
})

const call = async (index: number) => {
  const number = mode === 'one' ? 7 : Number(first) + index
  const outcome = await registry.run({ id: `${process.pid}-${index}`, name: 'send_mail', arguments: { number } })
  const replayed = outcome.status === 'ok' && outcome.replayed === true
  console.log(`${number} ${outcome.status}${replayed ? ' replayed' : ''}`)
}

const indices = Array.from({ length: Number(count) }, (_, index) => index)
if (mode === 'one') await Promise.all(indices.map(call))
else for (const index of indices) await call(index)
