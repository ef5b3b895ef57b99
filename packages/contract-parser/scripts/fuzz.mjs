// Fuzzes the built parser: `node packages/contract-parser/scripts/fuzz.mjs [count] [seed]`, 100,000 inputs by default.
// Each input is parsed and rendered again; ends with 1 and prints the input when one throws, takes over a second, has a
// problem outside its text, or renders to something that reads otherwise. Inputs are mutations of contracts and noise.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseContract, renderContract } from '../dist/index.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const count = Number(process.argv[2] ?? 100_000)
let state = Number(process.argv[3] ?? 1) >>> 0 || 1

/** xorshift32: the same seed gives the same inputs. */
function random(below = 0x1_0000_0000) {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % below
}

/** @template Value @param {readonly Value[]} list @returns {Value} */
const pick = (list) => /** @type {Value} */ (list[random(list.length)])

const pieces = [
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '# ',
  '## Inputs\n',
  '## Outputs\n',
  '## Process\n',
  '## Tools\n',
  '## For each\n',
  '## Audit\n',
  '|',
  '\\|',
  '|---|---|\n',
  '| File | Scope |\n',
  '`',
  '```',
  '~~~',
  '<!--',
  '-->',
  '---\n',
  '- ',
  '1. ',
  '  ',
  '\t',
  '(',
  ')',
  '[',
  '](',
  '../',
  './',
  '/',
  'a.md',
  'output/',
  '[slug]',
  '{{X}}',
  '{a,b}',
  '<x>',
  '#slug',
  ' § Name',
  '"Name" section',
  ' through ',
  ' -> ',
  ' — ',
  ': ',
  'Layer 4 (working): ',
  'L3: ',
  '(optional)',
  '(if exists)',
  'none',
  'search: a, b',
  'module in x.md',
  '**',
  '__',
  '*',
  '\uFEFF',
  '\0',
  '\uD800',
  '\uDC00',
  '\u00A0',
  '\u2028',
  'é',
  '漢字',
  '👩‍💻',
  'https://x.org/a.md',
  '~/x',
  '@x/y',
  'git log',
  'User',
]

function seeds() {
  const corpus = `${process.env.ICM_SHARED ?? `${root}../shared`}/data`
  const folders = [`${root}examples`, corpus].filter((folder) => existsSync(folder))
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /CONTEXT\.md$|contract-cases\/.*\.md$/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  )
}

/**
 * @param {readonly string[]} texts
 * @returns {{ text: string, noise: boolean }}
 */
function input(texts) {
  if (random(4) === 0) {
    let noise = ''
    for (let left = random(200); left > 0; left--)
      noise += random(3) === 0 ? String.fromCharCode(random(0x10000)) : pick(pieces)
    return { text: noise, noise: true }
  }
  let text = pick(texts)
  for (let left = 1 + random(12); left > 0; left--) {
    const at = random(text.length + 1)
    const end = Math.min(text.length, at + random(40))
    const kind = random(4)
    if (kind === 0) text = text.slice(0, at) + pick(pieces) + text.slice(at)
    else if (kind === 1) text = text.slice(0, at) + text.slice(end)
    else if (kind === 2)
      text = text.slice(0, at) + text.slice(at, end).repeat(1 + random(4)) + text.slice(end)
    else text = text.slice(0, at) + pick(pieces) + text.slice(end)
  }
  return { text, noise: false }
}

/** @param {import('../dist/index.js').StageContract} contract */
const meaning = (contract) =>
  JSON.stringify(
    contract.inputs
      .filter((input) => input.kind !== 'none')
      .map(({ kind, path, layer, required }) => [kind, path, layer, required]),
  ) + JSON.stringify(contract.outputs.map((output) => output.path))

/** @param {{ text: string, noise: boolean }} input */
function faultOf({ text, noise }) {
  const start = process.cpuUsage()
  const { contract, problems } = parseContract(text)
  const rendered = renderContract(contract)
  const again = parseContract(rendered).contract
  // Processor time: on a busy machine the clock says little.
  const took = process.cpuUsage(start).user / 1000
  if (took > 1000) return `took ${took.toFixed(0)} ms`
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const { line, column, code } of problems) {
    const length = lines[line - 1]?.length
    if (length === undefined || column < 1 || column > length + 1)
      return `${code} lies outside: ${line}:${column}`
  }
  return !noise && plain(contract) && meaning(again) !== meaning(contract)
    ? `reads otherwise when rendered:\n${meaning(contract)}\n${meaning(again)}`
    : undefined
}

/**
 * Rendering is exact for what a person can write; a path with a backtick, or words with a path in them, cannot.
 * @param {import('../dist/index.js').StageContract} contract
 */
function plain(contract) {
  const paths = contract.outputs.map((output) => output.path)
  const words = contract.outputs.map((output) => output.note ?? '')
  for (const { path, remark, label, note, scope } of contract.inputs) {
    paths.push(path ?? '')
    words.push(remark ?? '', label ?? '', note ?? '', scope.text)
  }
  return (
    paths.every((path) => /^[\w./\-[\]]*$/.test(path)) &&
    words.every((word) => !/[|\\`[<~]|\.\.\//.test(word))
  )
}

const texts = seeds()
const started = performance.now()
for (let index = 0; index < count; index++) {
  const made = input(texts)
  let fault
  try {
    fault = faultOf(made)
  } catch (error) {
    fault = `threw ${error instanceof Error ? error.stack : String(error)}`
  }
  if (fault) {
    console.error(`Input ${index + 1}: ${fault}\n${JSON.stringify(made.text)}`)
    process.exit(1)
  }
}
console.log(`${count} inputs, no fault, ${((performance.now() - started) / 1000).toFixed(1)} s`)
