import { toJsonSchema } from '@icm/json-schema'
import { checkDeclarations } from './check-declarations.js'
import { checkDescriptions } from './check-descriptions.js'
import { checkNames } from './check-names.js'
import { definitionHashOf } from './prepare-tool.js'
import type { ToolStatistics } from './statistics.js'
import type { AnyTool } from './types.js'

export type ToolFindingCode =
  | 'overlap'
  | 'similar-names'
  | 'name-clash'
  | 'abbreviation'
  | 'name-form'
  | 'mixed-languages'
  | 'description'
  | 'names-hidden-tool'
  | 'undeclared'
  | 'fixed-radius'
  | 'no-dry-run'
  | 'unused'
  | 'many-errors'
  | 'too-many'
  | 'large-schemas'
  | 'changed'

/** One fault of a set of tools. */
export interface ToolFinding {
  readonly code: ToolFindingCode
  readonly tools: readonly string[]
  readonly what: string
  /** What to do about it. */
  readonly instead: string
}

/** What a set of tools costs and what is wrong with it. */
export interface ToolCheck {
  readonly findings: readonly ToolFinding[]
  /** Estimated tokens of each schema in the prompt, the largest first. */
  readonly tokens: readonly { readonly name: string; readonly tokens: number }[]
  readonly totalTokens: number
}

export interface CheckOptions {
  /** Default: four characters a token. */
  readonly countTokens?: (text: string) => number
  /** With it, schemas that take over a quarter of the window are a fault. */
  readonly contextWindow?: number
  /** Adds what use has shown. */
  readonly statistics?: readonly ToolStatistics[]
  /** `definitionHashOf` of each tool as a person saw it. */
  readonly pins?: { readonly [tool: string]: string }
}

const MANY_TOOLS = 15
const WINDOW_SHARE = 0.25

/** Finds what makes a set of tools hard to use for a model, or unsafe. Every finding names the tools and a remedy. */
export function checkTools(tools: readonly AnyTool[], options: CheckOptions = {}): ToolCheck {
  const count = options.countTokens ?? ((text: string) => Math.ceil(text.length / 4))
  const tokens = tools
    .map(({ name, description, input }) => ({
      name,
      tokens: count(JSON.stringify({ name, description, parameters: toJsonSchema(input) })),
    }))
    .sort((left, right) => right.tokens - left.tokens)
  const totalTokens = tokens.reduce((sum, tool) => sum + tool.tokens, 0)
  return {
    findings: [
      ...checkNames(tools),
      ...checkDescriptions(tools),
      ...checkDeclarations(tools),
      ...checkUse(options.statistics ?? []),
      ...checkSize(tools, totalTokens, options.contextWindow),
      ...checkPins(tools, options.pins ?? {}),
    ],
    tokens,
    totalTokens,
  }
}

function checkUse(statistics: readonly ToolStatistics[]): readonly ToolFinding[] {
  return statistics.flatMap(
    ({ name, advice, sessions, sessionShare, errorShare }): readonly ToolFinding[] => {
      const percent = (share: number) => `${(share * 100).toFixed(1)} %`
      if (advice === 'remove') {
        const what = `${name} was not used in ${sessions} sessions.`
        return [{ code: 'unused', tools: [name], what, instead: 'Remove it.' }]
      }
      if (advice === 'candidate') {
        const what = `${name} was used in ${percent(sessionShare)} of ${sessions} sessions.`
        return [
          {
            code: 'unused',
            tools: [name],
            what,
            instead: 'Consider removing it, or leave it to find_tools.',
          },
        ]
      }
      if (advice !== 'rewrite-errors') return []
      const what = `${percent(errorShare)} of the calls of ${name} failed.`
      return [
        {
          code: 'many-errors',
          tools: [name],
          what,
          instead: 'Rewrite its errors and say in its description what is rejected.',
        },
      ]
    },
  )
}

function checkSize(
  tools: readonly AnyTool[],
  totalTokens: number,
  contextWindow: number | undefined,
): readonly ToolFinding[] {
  const names = tools.map(({ name }) => name)
  const found: ToolFinding[] = []
  if (tools.length > MANY_TOOLS) {
    const what = `There are ${tools.length} tools, which take about ${totalTokens} tokens in every turn.`
    const instead = `Offer at most ${MANY_TOOLS}: remove some, limit the session, or offer about five and find_tools.`
    found.push({ code: 'too-many', tools: names, what, instead })
  }
  if (contextWindow !== undefined && totalTokens > contextWindow * WINDOW_SHARE) {
    const share = Math.round((totalTokens / contextWindow) * 100)
    const what = `The schemas take about ${totalTokens} tokens, ${share} % of a window of ${contextWindow}.`
    found.push({
      code: 'large-schemas',
      tools: names,
      what,
      instead: 'Shorten the largest schemas, or offer fewer tools.',
    })
  }
  return found
}

function checkPins(
  tools: readonly AnyTool[],
  pins: { readonly [tool: string]: string },
): readonly ToolFinding[] {
  return tools.flatMap((tool): readonly ToolFinding[] => {
    const pin = Object.hasOwn(pins, tool.name) ? pins[tool.name] : undefined
    if (pin === undefined || pin === definitionHashOf(tool)) return []
    const what = `The definition of ${tool.name} has changed since it was agreed to.`
    return [
      {
        code: 'changed',
        tools: [tool.name],
        what,
        instead: 'Look at its description and schema, and agree to it anew or drop it.',
      },
    ]
  })
}
