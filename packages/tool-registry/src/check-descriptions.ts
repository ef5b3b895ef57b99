import { pairsOf } from './check-names.js'
import type { ToolFinding } from './check-tools.js'
import type { AnyTool } from './types.js'
import { wordsIn } from './words.js'

/** From this share of common words on, a model has to guess which of two tools is meant. */
const OVERLAP = 0.6

/** Descriptions that overlap, that leave a model guessing, that mix languages, or that name what is hidden. */
export function checkDescriptions(tools: readonly AnyTool[]): readonly ToolFinding[] {
  return [
    ...checkOverlap(tools),
    ...tools.flatMap(checkRules),
    ...checkLanguages(tools),
    ...checkHidden(tools),
  ]
}

function checkOverlap(tools: readonly AnyTool[]): readonly ToolFinding[] {
  const described = tools.map((tool) => ({ tool, words: new Set(wordsIn(tool.description)) }))
  return pairsOf(described).flatMap(([left, right]): readonly ToolFinding[] => {
    const common = [...left.words].filter((word) => right.words.has(word)).length
    const share = (2 * common) / Math.max(1, left.words.size + right.words.size)
    if (share < OVERLAP) return []
    const names = [left.tool.name, right.tool.name]
    return [
      {
        code: 'overlap',
        tools: names,
        what: `${Math.round(share * 100)} % of the words are the same in ${names[0]} (${JSON.stringify(left.tool.description)}) and ${names[1]} (${JSON.stringify(right.tool.description)}).`,
        instead:
          'Say in the first sentence of both when to use the one and when the other. If one sentence cannot, merge or remove.',
      },
    ]
  })
}

/** The five things that a description says, and how one can tell that it does. */
const RULES: readonly (readonly [string, RegExp])[] = [
  ['what is returned', /\b(returns?|lists?|shows?|gives?|says?|answers?|finds?|reads?|counts?|tells?)\b/i],
  [
    'what happens at the edges',
    /\b(none|no|nothing|empty|when|if|first|at most|up to|only|more|longer|whole)\b/i,
  ],
  ['which tool comes next', /\b(next|then|afterwards|instead)\b/i],
  ['an example of the format', /\bexamples?\b|\be\.g\.|\bsuch as\b|[{`]/i],
  ['what is rejected', /\b(reject|refus|invalid|fails?|must not|cannot|not allowed|denied|error)/i],
]

function checkRules(tool: AnyTool): readonly ToolFinding[] {
  const missing = RULES.filter(([, sign]) => !sign.test(tool.description)).map(([rule]) => rule)
  if (missing.length === 0) return []
  const what = `The description of ${tool.name} does not say ${missing.join(', ')}.`
  return [
    {
      code: 'description',
      tools: [tool.name],
      what,
      instead: `Add ${missing.length === 1 ? 'it' : 'them'} in a few words.`,
    },
  ]
}

/** Words so common that a text of some length has one. */
const COMMON_WORDS: { readonly [language: string]: string } = {
  English: 'the of and to is are with for from by that this which when returns an',
  German: 'der die das und ist mit für von den dem ein eine nicht wenn oder wird',
  French: 'le la les des et est avec pour une du dans qui sur ou aux ce',
  Spanish: 'el los las y es con para una del en que por se al lo',
  Italian: 'il gli e è con per una del di che non da si nel alla',
  Polish: 'i w z na do się jest nie oraz dla po od lub przez który',
}
const LANGUAGES = Object.entries(COMMON_WORDS).map(
  ([language, words]) => [language, new Set(words.split(' '))] as const,
)

function languageOf(text: string): string | undefined {
  if (/\p{Script=Cyrillic}/u.test(text)) return 'one in Cyrillic letters'
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text))
    return 'one of East Asia'
  const words = text.toLowerCase().split(/[^\p{L}]+/u)
  const scores = LANGUAGES.map(
    ([language, common]) => [language, words.filter((word) => common.has(word)).length] as const,
  )
  const [best, second] = [...scores].sort(([, left], [, right]) => right - left)
  return best === undefined || best[1] < 2 || best[1] === second?.[1] ? undefined : best[0]
}

function checkLanguages(tools: readonly AnyTool[]): readonly ToolFinding[] {
  const byLanguage = new Map<string, string[]>()
  for (const tool of tools) {
    const language = languageOf(tool.description)
    if (language !== undefined) byLanguage.set(language, [...(byLanguage.get(language) ?? []), tool.name])
  }
  const [most, ...others] = [...byLanguage].sort(([, left], [, right]) => right.length - left.length)
  return others.map(([language, names]) => ({
    code: 'mixed-languages',
    tools: names,
    what: `The description of ${names.join(', ')} is in another language (${language}) than most (${most?.[0]}).`,
    instead: 'Write all descriptions of a set in one language.',
  }))
}

/** A sandbox session reads the description of a sandbox tool; a host tool named there leaves a trace. */
function checkHidden(tools: readonly AnyTool[]): readonly ToolFinding[] {
  const hidden = tools.filter(({ trust }) => trust !== 'sandbox')
  return tools
    .filter(({ trust }) => trust === 'sandbox')
    .flatMap((tool) => {
      const named = hidden.filter(({ name }) => name.includes('_') && tool.description.includes(name))
      return named.map(({ name }) => ({
        code: 'names-hidden-tool' as const,
        tools: [tool.name, name],
        what: `The description of ${tool.name}, which a sandbox may use, names ${name}, which it may not know.`,
        instead: `Leave ${name} out of the description.`,
      }))
    })
}
