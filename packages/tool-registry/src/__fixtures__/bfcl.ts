import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@icm/errors'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = `${process.env.ICM_SHARED ?? `${repository}../shared`}/data/bfcl`

/** Whether the requests of the Berkeley Function Calling Leaderboard are at hand. */
export const hasRequests = existsSync(`${folder}/live_multiple.jsonl`)

export interface FunctionDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

export interface ToolRequest {
  readonly id: string
  readonly question: readonly (readonly { readonly role: string; readonly content: string }[])[]
  readonly function: readonly FunctionDefinition[]
}

export interface ToolAnswer {
  readonly id: string
  readonly ground_truth: readonly { readonly [name: string]: { readonly [parameter: string]: readonly unknown[] } }[]
}

export const readRequests = () => readLines<ToolRequest>('live_multiple.jsonl')
export const readAnswers = () => readLines<ToolAnswer>('live_multiple.answers.jsonl')

function readLines<Line>(name: string): readonly Line[] {
  return readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Line)
}
