// Damages real calls and counts which come through: `node packages/tool-registry/scripts/damaged-calls.mjs [seed]`, with
// the requests of the Berkeley Function Calling Leaderboard in ICM_SHARED and a built registry. Ends with 1 when fewer
// than 95 % of the repairable calls are repaired or an ambiguous one is guessed.
import { pathToFileURL } from 'node:url'
import { pick, randomFrom, readLines, shuffle } from './requests.mjs'

/** @typedef {{ readonly name: string, readonly description: string, readonly parameters: any }} FunctionDefinition */
/** @typedef {{ readonly kind: string, readonly expected: 'repaired' | 'refused', readonly definition: FunctionDefinition, readonly args: Record<string, unknown>, readonly damaged: unknown }} DamagedCall */
/** @typedef {{ readonly createToolRegistry: any, readonly defineTool: any, readonly toToolName: (name: string) => string }} Registry */

const kinds = [
  ['renamed', 50],
  ['re-cased', 30],
  ['stringified', 40],
  ['wrapped', 30],
  ['missing', 20],
  ['ambiguous', 30],
]

/**
 * The same 200 calls for the same seed, each from an answer of its own: the first accepted value of each parameter, then
 * one kind of damage. A call is repairable by its making, not by what a repair can do; answers that the function's own
 * schema refuses are left out.
 * @param {readonly any[]} requests @param {readonly any[]} answers @param {Registry} registry @param {number} [seed]
 * @returns {Promise<readonly DamagedCall[]>}
 */
export async function damagedCalls(requests, answers, registry, seed = 1) {
  const random = randomFrom(seed)
  const definitions = new Map(requests.map((request) => [request.id, request.function]))
  const whole = shuffle(
    answers.flatMap((answer) => {
      const [name, accepted] = Object.entries(answer.ground_truth[0])[0] ?? []
      const definition = definitions.get(answer.id)?.find((/** @type {any} */ one) => one.name === name)
      const args = firstAccepted(accepted)
      return definition !== undefined && Object.keys(args).length > 0 ? [{ definition, args }] : []
    }),
    random,
  )
  const used = new Set()
  /** @type {DamagedCall[]} */
  const calls = []
  for (const [kind, count] of kinds) {
    let made = 0
    for (const call of whole) {
      if (made === count) break
      if (used.has(call)) continue
      const damaged = damage(String(kind), call, random)
      if (damaged === undefined) continue
      used.add(call)
      if ((await runOne(registry, call.definition, call.args)).status !== 'ok') continue
      made += 1
      calls.push({ kind: String(kind), ...call, .../** @type {any} */ (damaged) })
    }
  }
  return calls
}

/**
 * Runs each call whole and damaged, and compares what takes effect.
 * @param {readonly DamagedCall[]} calls @param {Registry} registry
 */
export async function measureRepair(calls, registry) {
  const results = []
  for (const call of calls) {
    const whole = await runOne(registry, call.definition, call.args)
    const damaged = await runOne(registry, call.definition, call.damaged)
    const same = damaged.effective !== '' && damaged.effective === whole.effective
    const result = same ? 'repaired' : damaged.effective === '' ? 'refused' : 'guessed'
    results.push({ ...call, result, text: damaged.text, repairs: damaged.repairs })
  }
  return results
}

/** What a call comes to, and with which arguments the function ran. @param {Registry} registry @param {FunctionDefinition} definition @param {unknown} args */
async function runOne(
  { createToolRegistry, defineTool, toToolName },
  { name, description, parameters },
  args,
) {
  let effective = ''
  const tool = defineTool({
    name: toToolName(name),
    otherNames: [name],
    description,
    input: parameters,
    output: 'trusted',
    idempotent: true,
    blastRadius: () => 0,
    run: (/** @type {unknown} */ input) => {
      effective = JSON.stringify(sorted(input))
      return 'done'
    },
  })
  const registry = createToolRegistry({ tools: [tool], session: { trust: 'host' } })
  const outcome = await registry.run({ id: '1', name, arguments: args })
  return { status: outcome.status, text: outcome.text, repairs: outcome.repairs, effective }
}

/** @param {string} kind @param {{ definition: FunctionDefinition, args: Record<string, unknown> }} call @param {() => number} random */
function damage(kind, { definition, args }, random) {
  switch (kind) {
    case 'renamed':
      return renameOne(definition, args, random)
    case 're-cased': {
      const style = pick(recasings, random)
      const damaged = mapKeys(args, style)
      return JSON.stringify(damaged) === JSON.stringify(args) ? undefined : { damaged, expected: 'repaired' }
    }
    case 'stringified': {
      const damaged = Object.fromEntries(
        Object.entries(args).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      )
      if (Object.values(args).every((value) => typeof value === 'string')) {
        return { damaged: JSON.stringify(args), expected: 'repaired' }
      }
      return { damaged, expected: 'repaired' }
    }
    case 'wrapped':
      return { damaged: pick(wrappers, random)(args, definition.name), expected: 'repaired' }
    case 'missing': {
      const required = (definition.parameters.required ?? []).filter(
        (/** @type {string} */ name) => name in args,
      )
      if (required.length === 0) return undefined
      const { [pick(required, random)]: _, ...damaged } = args
      return { damaged, expected: 'refused' }
    }
    default:
      return makeAmbiguous(definition, args, random)
  }
}

/** What models do to names; each takes the words of a name and gives those of another, or nothing. @type {readonly ((words: readonly string[]) => readonly string[] | undefined)[]} */
const renamings = [
  (words) => (words.length > 1 ? [...words.slice(1), ...words.slice(0, 1)] : undefined),
  (words) => (words.length > 1 ? words.slice(1) : undefined),
  (words) => (words.length > 1 ? words.slice(0, -1) : undefined),
  (words) => [...words, 'value'],
  (words) => (words.length === 1 ? ['the', ...words] : undefined),
  (words) =>
    (words.at(-1) ?? '').length > 3 ? [...words.slice(0, -1), plural(words.at(-1) ?? '')] : undefined,
  (words) =>
    words[0] !== undefined && words[0].length > 5 ? [words[0].slice(0, 4), ...words.slice(1)] : undefined,
  (words) =>
    words[0] !== undefined && words[0].length > 5
      ? [words[0].slice(0, 2) + words[0].slice(3), ...words.slice(1)]
      : undefined,
  (words) =>
    words[0] !== undefined && words[0].length > 5 ? [swap(words[0]), ...words.slice(1)] : undefined,
  (words) => {
    const found = words.findIndex((word) => synonyms[word] !== undefined)
    return found === -1
      ? undefined
      : words.map((word, index) => (index === found ? (synonyms[word] ?? word) : word))
  },
]
/** @type {Record<string, string>} */
const synonyms = {
  query: 'question',
  file: 'path',
  url: 'link',
  limit: 'max',
  text: 'content',
  id: 'identifier',
  destination: 'target',
  start: 'begin',
  end: 'stop',
  type: 'kind',
  description: 'desc',
  location: 'place',
}

/** @param {FunctionDefinition} definition @param {Record<string, unknown>} args @param {() => number} random */
function renameOne({ parameters }, args, random) {
  const names = Object.keys(parameters.properties ?? {})
  for (const name of shuffle(Object.keys(args), random)) {
    for (const renaming of shuffle(renamings, random)) {
      const words = renaming(wordsOf(name))
      if (words === undefined) continue
      const renamed = words.join('_')
      // Repairable: no other parameter that is absent has that name, or could get it in one of these ways or by a shared word.
      const rivals = names.filter((other) => other !== name && !(other in args))
      if (
        names.includes(renamed) ||
        rivals.some((other) => shareWord(wordsOf(other), words) || couldBecome(other, renamed))
      )
        continue
      if (sameLetters(renamed, name)) continue
      const { [name]: value, ...others } = args
      return { damaged: { ...others, [renamed]: value }, expected: 'repaired' }
    }
  }
  return undefined
}

/** One name or value with two readings. @param {FunctionDefinition} definition @param {Record<string, unknown>} args @param {() => number} random */
function makeAmbiguous({ parameters }, args, random) {
  const properties = parameters.properties ?? {}
  const names = Object.keys(properties)
  for (const name of shuffle(Object.keys(args), random)) {
    for (const word of wordsOf(name)) {
      const rivals = names.filter(
        (other) => other !== name && !(other in args) && properties[other].type === properties[name].type,
      )
      if (names.includes(word) || !rivals.some((other) => wordsOf(other).includes(word))) continue
      const { [name]: value, ...others } = args
      return { damaged: { ...others, [word]: value }, expected: 'refused' }
    }
  }
  const number = Object.keys(args).find((name) => ['integer', 'float'].includes(properties[name]?.type))
  if (number !== undefined) {
    return {
      damaged: { ...args, [number]: pick(['1,500', '10-20', 'about 5', '0x10', '5 or 6'], random) },
      expected: 'refused',
    }
  }
  const flag = Object.keys(args).find((name) => properties[name]?.type === 'boolean')
  if (flag !== undefined)
    return { damaged: { ...args, [flag]: pick(['maybe', '2', 'both'], random) }, expected: 'refused' }
  // The same parameter twice, in two spellings, with two values.
  const text = Object.keys(args).find((name) => typeof args[name] === 'string' && wordsOf(name).length > 1)
  if (text === undefined) return undefined
  const { [text]: value, ...others } = args
  const [one, other] = [wordsOf(text).join('-'), wordsOf(text).join(' ')]
  return { damaged: { ...others, [one]: value, [other]: `other ${value}` }, expected: 'refused' }
}

/** @type {readonly ((key: string) => string)[]} */
const recasings = [
  (key) => key.toUpperCase(),
  (key) => wordsOf(key).join('-'),
  (key) =>
    wordsOf(key)
      .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
      .join(''),
  (key) =>
    wordsOf(key)
      .map((word) => word[0]?.toUpperCase() + word.slice(1))
      .join(''),
]
/** @type {readonly ((args: object, name: string) => unknown)[]} */
const wrappers = [
  (args) => ({ arguments: args }),
  (args) => ({ parameters: args }),
  (args) => ({ input: args }),
  (args, name) => ({ [name]: args }),
  (args, name) => ({ name, arguments: args }),
  (args) => ({ kwargs: args }),
  (args) => [args],
  (args) => JSON.stringify({ arguments: args }),
]

/** The first accepted value of each parameter; `''` stands for one that may be left out. @param {any} accepted @returns {Record<string, unknown>} */
function firstAccepted(accepted) {
  return Object.fromEntries(
    Object.entries(accepted ?? {}).flatMap(([name, values]) => {
      const value = /** @type {unknown[]} */ (values)[0]
      if (value === '') return []
      return [
        [
          name,
          isObject(value)
            ? firstAccepted(value)
            : Array.isArray(value)
              ? value.map((item) => (isObject(item) ? firstAccepted(item) : item))
              : value,
        ],
      ]
    }),
  )
}

/** @param {any} value @param {(key: string) => string} change @returns {any} */
function mapKeys(value, change) {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [change(key), mapKeys(inner, change)]),
  )
}

/** @param {any} value @returns {any} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** @param {string} name */
function wordsOf(name) {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
}
/** @param {string} other @param {string} renamed */
const couldBecome = (other, renamed) =>
  renamings.some((renaming) => renaming(wordsOf(other))?.join('_') === renamed)
/** @param {readonly string[]} left @param {readonly string[]} right */
const shareWord = (left, right) =>
  left.some((word) =>
    right.some((other) => word.startsWith(other.slice(0, 3)) || other.startsWith(word.slice(0, 3))),
  )
/** @param {string} left @param {string} right */
const sameLetters = (left, right) => left.replace(/[-_]/g, '') === right.toLowerCase().replace(/[-_]/g, '')
/** @param {string} word */
const plural = (word) => (word.endsWith('s') ? word.slice(0, -1) : `${word}s`)
/** @param {string} word */
const swap = (word) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {readonly { kind: string, expected: string, result: string }[]} results */
export function repairTable(results) {
  const of = (/** @type {string} */ kind, /** @type {string} */ result) =>
    results.filter((one) => one.kind === kind && one.result === result).length
  const rows = kinds.map(([kind]) => [
    String(kind),
    ...['repaired', 'refused', 'guessed'].map((result) => String(of(String(kind), result))),
  ])
  return [['damage', 'repaired', 'refused', 'guessed'], ...rows]
    .map(([first = '', ...others]) => first.padEnd(14) + others.map((cell) => cell.padStart(10)).join(''))
    .join('\n')
}

/** @param {readonly { expected: string, result: string }[]} results */
export function repairFigures(results) {
  const repairable = results.filter(({ expected }) => expected === 'repaired')
  const others = results.filter(({ expected }) => expected === 'refused')
  return {
    calls: results.length,
    repairable: repairable.length,
    repaired: repairable.filter(({ result }) => result === 'repaired').length,
    guessed: others.filter(({ result }) => result !== 'refused').length,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const registry = await import(new URL('../dist/index.js', import.meta.url).href)
  const calls = await damagedCalls(
    readLines('live_multiple.jsonl'),
    readLines('live_multiple.answers.jsonl'),
    registry,
    Number(process.argv[2] ?? 1),
  )
  const results = await measureRepair(calls, registry)
  const { repairable, repaired, guessed } = repairFigures(results)
  for (const one of results.filter((result) => result.result !== result.expected)) {
    console.log(
      `${one.kind}, ${one.result}: ${one.definition.name} ${JSON.stringify(one.args)} -> ${JSON.stringify(one.damaged)}\n  ${one.text}`,
    )
  }
  console.log(repairTable(results))
  console.log(
    `${results.length} calls, seed ${process.argv[2] ?? 1}: ${repaired} of ${repairable} repairable ones repaired (${((repaired / repairable) * 100).toFixed(1)} %), ${guessed} of the others run`,
  )
  process.exit(repaired / repairable >= 0.95 && guessed === 0 ? 0 : 1)
}
