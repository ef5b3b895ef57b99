import { canonicalJson } from '../packages/json-schema/dist/index.js'
import { createToolRegistry, defineTool } from '../packages/tool-registry/dist/index.js'
import { importMs, measure, shown } from './measure.mjs'

const few = 10
const many = 10_000
const callsEach = 500

/** @param {number} count @param {(index: number) => object} [more] */
function registryOf(count, more = () => ({})) {
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `read_document_${index}`,
      description: `Returns document ${index}. Example: {"path": "tea.md"}.`,
      input: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'The document' },
          from: { type: 'integer', minimum: 1, default: 1 },
          mode: { type: 'string', enum: ['text', 'raw'] },
        },
        required: ['path'],
      },
      aliases: { path: ['file', 'filepath'] },
      limit: 4_000,
      idempotent: true,
      trust: 'sandbox',
      output: 'trusted',
      blastRadius: () => 0,
      run: () => 'text',
      ...more(index),
    }),
  )
  return createToolRegistry({ tools })
}

export async function bench() {
  const start = performance.now()
  const [small, large] = [registryOf(few), registryOf(many)]
  const builtMs = performance.now() - start
  const only = ['read_document_3', 'read_document_7', 'read_document_5']
  const call = { id: '1', name: 'read_document_5', arguments: { path: 'tea.md', from: 3, mode: 'text' } }
  const misspelt = { ...call, name: 'Read-Document-5', arguments: { File: 'tea.md', FROM: '3' } }
  const registries = /** @type {const} */ ({ Few: small, Many: large })
  /** @param {(registry: typeof small) => unknown} work @param {string} name */
  const both = (name, work) =>
    Object.fromEntries(
      Object.entries(registries).map(([size, registry]) => [
        `${name}${size}`,
        async () => {
          for (let index = 0; index < callsEach; index++) await work(registry)
        },
      ]),
    )
  const bare = async () => 'text'
  const times = await measure(
    {
      ...both('specs', (registry) => registry.specs({ only })),
      ...both('key', (registry) => registry.keyOf(call)),
      ...both('run', (registry) => registry.run(call)),
      ...both('mend', (registry) => registry.run(misspelt)),
      bare: async () => {
        for (let index = 0; index < callsEach; index++) await bare()
      },
    },
    { rounds: 40, warmUp: 10 },
  )
  const each = (/** @type {string} */ name) => (times[name]?.best ?? 0) / callsEach
  const ratio = (/** @type {string} */ name) => each(`${name}Many`) / each(`${name}Few`)
  const overhead = each('runMany') - each('bare')
  return {
    about: `registries of ${few} and of ${many} tools`,
    rows: [
      { name: `define and register ${few} + ${many} tools`, value: shown(builtMs * 1000) },
      ...['specs', 'key', 'run', 'mend'].flatMap((name) => [
        { name: `${titles[name]}, ${many} tools`, value: shown(each(`${name}Many`)) },
        {
          name: `against ${few} tools`,
          value: `${ratio(name).toFixed(2)} x`,
          target: '<= 1.3 x',
          ok: ratio(name) <= 1.3,
        },
      ]),
      { name: 'overhead of a valid call', value: shown(overhead), target: '<= 20 µs', ok: overhead <= 20 },
      ...(await canonical()),
      {
        name: 'import',
        value: `${(await importMs(new URL('../packages/tool-registry/dist/index.js', import.meta.url).pathname)).toFixed(1)} ms`,
      },
    ],
  }
}

/** @type {Record<string, string>} */
const titles = {
  specs: 'specs({ only })',
  key: 'look-up and key of a call',
  run: 'a valid call',
  mend: 'a call with four repairs',
}

async function canonical() {
  const inner = { name: 'tea', tags: ['green', 'black', 'white'], price: 4.5, stock: null, fresh: true }
  const values = {
    'arguments of a call': {
      path: 'notes/tea.md',
      from: 3,
      lines: 60,
      mode: 'text',
      options: { raw: false },
    },
    'a document of 64 KB': { rows: Array.from({ length: 800 }, (_, id) => ({ id, ...inner })) },
  }
  const rows = []
  for (const [name, value] of Object.entries(values)) {
    const count = name.startsWith('a doc') ? 5 : 5_000
    const repeat = (/** @type {(value: unknown) => string} */ write) => () => {
      for (let index = 0; index < count; index++) write(value)
    }
    const times = await measure(
      { plain: repeat(JSON.stringify), canonical: repeat(canonicalJson) },
      { rounds: 60 },
    )
    const ratio = (times.canonical?.best ?? 0) / (times.plain?.best ?? 1)
    rows.push({
      name: `canonical JSON against JSON.stringify, ${name}`,
      value: `${ratio.toFixed(2)} x`,
      target: '<= 2 x',
      ok: ratio <= 2,
    })
  }
  return rows
}
