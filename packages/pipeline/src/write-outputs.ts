import { join } from 'node:path'
import type { StageContext } from '@icm/context-loader'
import { SafeFilesError, writeFileAtomically } from '@icm/safe-files'
import { PipelineError } from './errors.js'
import { runForEach, type StageText } from './for-each.js'
import { itemsNeededFrom } from './items-needed.js'
import { sha256, workspacePath } from './provenance.js'
import { runTurn, type Turn } from './run-turn.js'
import type { StageEvents, StageRun } from './stage-run.js'
import { exists } from './state-folder.js'
import type { StageTools, StageUsage, UnsupportedClaim, WrittenOutput } from './types.js'
import { findUnsupportedClaims } from './unsupported-claims.js'

/** What a stage has written, and what is to be said about it. */
export interface Written {
  readonly outputs: readonly WrittenOutput[]
  readonly claims: readonly UnsupportedClaim[]
  readonly truncated: readonly string[]
  readonly usage: Omit<StageUsage, 'durationMs'>
}

/** Runs a stage's turns and writes each output as soon as it is whole. */
export async function* writeOutputs(
  run: StageRun,
  context: StageContext,
  paths: readonly string[],
  tools: StageTools | undefined,
): StageEvents<Written> {
  const [only] = paths
  if (paths.length !== 1 || only === undefined) return yield* writeSeveral(run, context, paths, tools)
  const { folder, settings } = run
  const turns =
    context.items.length > 0
      ? runForEach({ folder, context, settings, ...(tools === undefined ? {} : { tools }) })
      : oneTurn(run, context, only, tools)
  const text = yield* keepOnFailure(run, turns)
  const output = yield* writeOutput(run, only, text.text)
  const { truncated } = text
  const claims = findUnsupportedClaims(text.text, sourcesOf(context, text.toolTexts))
  return { outputs: [output], claims, truncated, usage: usageOf([text]) }
}

async function* oneTurn(
  run: StageRun,
  context: StageContext,
  path: string,
  tools: StageTools | undefined,
): StageEvents<StageText> {
  const outputName = workspacePath(run.workspace, path).split('/').at(-1) ?? path
  const missingForLater = await itemsNeededFrom(run.workspace, path)
  const request = {
    messages: promptOf(context),
    outputName,
    task: context.contract.process,
    missingForLater,
    ...(tools === undefined ? {} : { tools }),
  }
  const turn = yield* runTurn(request, run.settings)
  return { ...turn, text: `${turn.text}\n`, truncated: turn.truncated ? [outputName] : [] }
}

/**
 * Several outputs: what is gathered with tools comes first and is their common prefix, then each file that is not
 * there yet is asked for in one tool-free turn, in contract order, and saved when it is finished.
 */
async function* writeSeveral(
  run: StageRun,
  context: StageContext,
  paths: readonly string[],
  tools: StageTools | undefined,
): StageEvents<Written> {
  const prompt = promptOf(context)
  const task = context.contract.process
  const turns: Turn[] = []
  const outputs: WrittenOutput[] = []
  const claims: UnsupportedClaim[] = []
  const truncated: string[] = []
  if (tools !== undefined) {
    const request = { messages: prompt, tools, outputName: 'the gathered material', task }
    turns.push(yield* runTurn(request, run.settings))
  }
  const prefix = turns[0]?.messages ?? prompt
  for (const path of paths) {
    if (await exists(path)) continue // what is no file was refused before
    const outputName = workspacePath(run.workspace, path)
    const text = `Write the file ${outputName} now. Answer only with its content.`
    const request = { messages: [...prefix, { role: 'user', text } as const], outputName, task }
    const turn = yield* keepOnFailure(run, runTurn(request, run.settings))
    turns.push(turn)
    outputs.push(yield* writeOutput(run, path, `${turn.text}\n`))
    const toolTexts = turns.flatMap((earlier) => earlier.toolTexts)
    claims.push(...findUnsupportedClaims(turn.text, sourcesOf(context, toolTexts)))
    if (turn.truncated) truncated.push(outputName)
  }
  return { outputs, claims, truncated, usage: usageOf(turns) }
}

function promptOf(context: StageContext) {
  return [{ role: 'system', text: context.system } as const, { role: 'user', text: context.user } as const]
}

function sourcesOf(context: StageContext, toolTexts: readonly string[]): readonly string[] {
  const items = context.items.flatMap((item) => [item.heading, item.body])
  return [context.system, context.user, ...items, ...toolTexts]
}

type Cost = Pick<Turn, 'inputTokens' | 'outputTokens' | 'toolCalls'>

function usageOf(turns: readonly Cost[]): Omit<StageUsage, 'durationMs'> {
  const sum = (value: (turn: Cost) => number) => turns.reduce((total, turn) => total + value(turn), 0)
  return {
    inputTokens: sum((turn) => turn.inputTokens),
    outputTokens: sum((turn) => turn.outputTokens),
    toolCalls: sum((turn) => turn.toolCalls),
  }
}

/** A person's file is never overwritten, also when it appeared while the stage ran. */
async function* writeOutput(run: StageRun, path: string, text: string): StageEvents<WrittenOutput> {
  const shown = workspacePath(run.workspace, path)
  try {
    await writeFileAtomically(path, text, { exclusive: true })
  } catch (error) {
    if (!(error instanceof SafeFilesError) || error.code !== 'file/exists') throw error
    throw new PipelineError(
      {
        code: 'pipeline/output-appeared',
        what: `${shown} was not overwritten: it appeared while the stage ran.`,
        why: 'A file that a person may have written is never replaced.',
        instead: `The stage's text is in ${await keepAside(run, text)}; keep whichever you want.`,
      },
      { cause: error },
    )
  }
  const output = { path: shown, characters: text.length, sha256: sha256(text) }
  yield { type: 'output-written', ...output }
  return output
}

/** What a failed turn did write is kept in the run's folder and named in the error. */
async function* keepOnFailure<Result>(run: StageRun, events: StageEvents<Result>): StageEvents<Result> {
  try {
    return yield* events
  } catch (error) {
    const text = error instanceof PipelineError ? error.details.text : undefined
    if (!(error instanceof PipelineError) || typeof text !== 'string' || text === '') throw error
    const { code, what, why, details } = error
    const keptAt = await keepAside(run, text).catch(() => undefined)
    if (keptAt === undefined) throw error // the text is in its details
    const instead = `${error.instead} What it did write is in ${keptAt}.`
    throw new PipelineError({ code, what, why, instead, details: { ...details, keptAt } }, { cause: error })
  }
}

/** Returns the place, relative to the workspace. */
async function keepAside(run: StageRun, text: string): Promise<string> {
  const name = `${run.stage.name}-${run.attempt}-${Date.now()}.md`
  const path = join(run.folder.runFolder(run.run), 'kept', name)
  await writeFileAtomically(path, `${text}\n`)
  return workspacePath(run.workspace, path)
}
