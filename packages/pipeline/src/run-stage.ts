import { dirname, join, resolve } from 'node:path'
import {
  estimateTokens,
  type LoadProblem,
  loadStage,
  resolveOutputs,
  type StageContext,
  type StageRef,
  splitItems,
  type Workspace,
} from '@icm/context-loader'
import { removeStaleTemporaries, writeFileAtomically } from '@icm/safe-files'
import { PipelineError } from './errors.js'
import { optionsOf, runForEach, type StageText } from './for-each.js'
import { contractHash, readsOf, sha256, workspacePath, writeProvenance } from './provenance.js'
import { runTurn, type Turn, type TurnSettings } from './run-turn.js'
import { withSeenAddresses } from './seen-addresses.js'
import { outputPaths } from './stage-status.js'
import { exists, type StateFolder } from './state-folder.js'
import type {
  PipelineEventBody,
  PipelineOptions,
  StageTools,
  StageUsage,
  UnsupportedClaim,
  WrittenOutput,
} from './types.js'
import { findUnsupportedClaims } from './unsupported-claims.js'

/** Room that a stage's prompt must leave for the answer, in tokens. */
const smallestAnswer = 256

export interface StageRun {
  readonly workspace: Workspace
  readonly stage: StageRef
  readonly folder: StateFolder
  readonly run: string
  readonly attempt: number
  readonly settings: TurnSettings
  readonly openTools: PipelineOptions['openTools']
}

export interface StageRunResult {
  readonly stage: string
  readonly outputs: readonly WrittenOutput[]
  readonly usage: StageUsage
  readonly claims: readonly UnsupportedClaim[]
}

type StageEvents<Result> = AsyncGenerator<PipelineEventBody & { readonly item?: number }, Result, void>

/**
 * Runs one stage from its contract to its written outputs. Throws a `PipelineError` when it cannot start (missing
 * inputs, a context larger than the window) or has no output; nothing half-written is left in either case.
 */
export async function* runStage(run: StageRun): StageEvents<StageRunResult> {
  const started = performance.now()
  const context = await loadStage(run.workspace, run.stage.name)
  await refuseIfNotReady(run.workspace, context)
  const paths = await outputPaths(run.workspace, context)
  await Promise.all(paths.map((path) => removeStaleTemporaries(dirname(path))))
  const tools = await openStageTools(run, context)
  try {
    const specs = tools?.specs() ?? []
    refuseIfTooLarge(run, context, specs.length === 0 ? 0 : estimateTokens(JSON.stringify(specs)))
    yield {
      type: 'stage-start',
      tokens: context.tokens,
      turns: Math.max(1, context.items.length),
      ...(context.contract.forEach === undefined
        ? {}
        : { forEach: { item: context.contract.forEach.item, path: context.contract.forEach.path } }),
      tools: specs.map((spec) => spec.name),
      reads: context.parts.map((part) => ({
        path: workspacePath(run.workspace, part.path),
        layer: part.layer,
        tokens: part.tokens,
        sha256: part.sha256,
      })),
      warnings: [
        ...context.problems.filter((problem) => problem.severity === 'warning').map(problemLine),
        ...context.dropped.map((part) => `${part.label}: ${part.reason}`),
      ],
    }
    // Read before the turns: what the person edits meanwhile was not what the output was made from.
    const reads = await readsOf(run.workspace, context)
    const contractSha256 = await contractHash(context)
    const written = yield* writeOutputs(run, context, paths, tools)
    const usage = { ...written.usage, durationMs: Math.round(performance.now() - started) }
    const finishedAt = new Date().toISOString()
    const { model } = run.settings
    const { run: id, attempt } = run
    const options = optionsOf(run.settings)
    await writeProvenance(run.folder, run.stage.name, {
      run: id,
      attempt,
      finishedAt,
      model: model.id,
      options,
      contractSha256,
      reads,
      outputs: written.outputs,
      usage,
    })
    yield { type: 'stage-end', usage, claims: written.claims }
    return { stage: run.stage.name, outputs: written.outputs, usage, claims: written.claims }
  } finally {
    await tools?.close?.()
  }
}

function problemLine(problem: LoadProblem): string {
  return `${problem.path}:${problem.line}: ${problem.what} ${problem.instead}`
}

async function refuseIfNotReady(workspace: Workspace, context: StageContext): Promise<void> {
  const outputs = await resolveOutputs(workspace, context.stage, context.contract)
  const templated = outputs.problems.filter((problem) => problem.code === 'context/templated-output')
  const problems = [...context.problems, ...outputs.problems]
  const errors = [...problems.filter((problem) => problem.severity === 'error'), ...templated]
  const [first] = errors
  if (first === undefined) return
  throw new PipelineError({
    code: 'pipeline/stage-not-ready',
    what: `Stage ${context.stage.name} was not started. ${errors.map(problemPlaceAndWhat).join(' ')}`,
    why: first.why,
    instead: [...new Set(errors.map((problem) => problem.instead))].join(' '),
    details: {
      problems: errors.map((problem) => ({
        code: problem.code,
        path: problem.path,
        line: problem.line,
        what: problem.what,
      })),
    },
  })
}

function problemPlaceAndWhat(problem: LoadProblem): string {
  return `${problem.path}:${problem.line}: ${problem.what}`
}

function refuseIfTooLarge(run: StageRun, context: StageContext, toolTokens: number): void {
  const window = run.settings.model.contextWindow
  if (window === undefined) return
  const largestItem = Math.max(0, ...context.items.map((item) => estimateTokens(item.body)))
  const needed = context.tokens + toolTokens + largestItem
  if (needed + smallestAnswer <= window) return
  const largest = [...context.parts].sort((left, right) => right.tokens - left.tokens).slice(0, 3)
  throw new PipelineError({
    code: 'pipeline/context-too-large',
    what: `Stage ${run.stage.name} was not started: its prompt takes about ${needed} tokens, and the window has ${window}.`,
    why: `At least ${smallestAnswer} tokens must be left for the answer; a server would cut the prompt silently.`,
    instead: `Load less (largest: ${largest.map((part) => `${part.label} ${part.tokens}`).join(', ')}), name sections in the contract, or raise [model] context_window.`,
    details: { needed, window },
  })
}

async function openStageTools(run: StageRun, context: StageContext): Promise<StageTools | undefined> {
  if (context.contract.tools.length === 0) return undefined
  if (run.openTools === undefined) {
    throw new PipelineError({
      code: 'pipeline/no-tools-available',
      what: `Stage ${run.stage.name} was not started: its contract lists tools and none were provided.`,
      why: 'Tools are never dropped silently.',
      instead: 'Pass openTools, or write "none" under ## Tools.',
    })
  }
  const tools = await run.openTools(context)
  return withSeenAddresses(tools, [context.system, context.user])
}

interface Written {
  readonly outputs: readonly WrittenOutput[]
  readonly claims: readonly UnsupportedClaim[]
  readonly usage: Omit<StageUsage, 'durationMs'>
}

async function* writeOutputs(
  run: StageRun,
  context: StageContext,
  paths: readonly string[],
  tools: StageTools | undefined,
): StageEvents<Written> {
  const [only] = paths
  if (paths.length === 1 && only !== undefined) {
    const request = {
      folder: run.folder,
      context,
      settings: run.settings,
      ...(tools === undefined ? {} : { tools }),
    }
    const text = yield* keepOnFailure(
      run,
      context.items.length > 0 ? runForEach(request) : oneTurn(run, context, only, tools),
    )
    const output = yield* writeOutput(run, only, text.text)
    return {
      outputs: [output],
      claims: findUnsupportedClaims(text.text, sourcesOf(context, text.toolTexts)),
      usage: usageOf([text]),
    }
  }
  return yield* writeSeveral(run, context, paths, tools)
}

async function* oneTurn(
  run: StageRun,
  context: StageContext,
  path: string,
  tools: StageTools | undefined,
): StageEvents<StageText> {
  const outputName = workspacePath(run.workspace, path).split('/').at(-1) ?? path
  const messages = [
    { role: 'system', text: context.system } as const,
    { role: 'user', text: context.user } as const,
  ]
  const missingForLater = await itemsNeededFrom(run, path)
  const turn = yield* runTurn(
    { messages, outputName, missingForLater, ...(tools === undefined ? {} : { tools }) },
    run.settings,
  )
  return { ...turn, text: `${turn.text}\n` }
}

/**
 * A stage that works item by item needs headings in its source. Code knows that, so the stage that writes the source
 * is told at once, while its conversation is still there to mend it.
 */
async function itemsNeededFrom(run: StageRun, path: string): Promise<(text: string) => string | undefined> {
  const contexts = await Promise.all(run.workspace.stages.map(({ name }) => loadStage(run.workspace, name)))
  const readers = contexts.filter(
    ({ stage, contract }) =>
      contract.forEach !== undefined && resolve(stage.folder, contract.forEach.path) === path,
  )
  return (text) => {
    const reader = readers.find(
      ({ contract }) => splitItems(text, contract.forEach?.item ?? '').items.length === 0,
    )
    if (reader === undefined) return undefined
    const item = reader.contract.forEach?.item ?? 'item'
    return `stage ${reader.stage.name} finds no ${item} in it; each ${item} needs a heading of level 2, such as "## ${item.charAt(0).toUpperCase()}${item.slice(1)} 1: <title>"`
  }
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
  const prompt = [
    { role: 'system', text: context.system } as const,
    { role: 'user', text: context.user } as const,
  ]
  const turns: Turn[] = []
  const outputs: WrittenOutput[] = []
  const claims: UnsupportedClaim[] = []
  if (tools !== undefined)
    turns.push(yield* runTurn({ messages: prompt, tools, outputName: 'the gathered material' }, run.settings))
  const prefix = turns[0]?.messages ?? prompt
  for (const path of paths) {
    if (await exists(path)) continue
    const outputName = workspacePath(run.workspace, path)
    const request = {
      role: 'user',
      text: `Write the file ${outputName} now. Answer only with its content.`,
    } as const
    const turn = yield* keepOnFailure(
      run,
      runTurn({ messages: [...prefix, request], outputName }, run.settings),
    )
    turns.push(turn)
    outputs.push(yield* writeOutput(run, path, `${turn.text}\n`))
    claims.push(
      ...findUnsupportedClaims(
        turn.text,
        sourcesOf(
          context,
          turns.flatMap((earlier) => earlier.toolTexts),
        ),
      ),
    )
  }
  return { outputs, claims, usage: usageOf(turns) }
}

function sourcesOf(context: StageContext, toolTexts: readonly string[]): readonly string[] {
  return [
    context.system,
    context.user,
    ...context.items.flatMap((item) => [item.heading, item.body]),
    ...toolTexts,
  ]
}

function usageOf(turns: readonly Omit<StageText, 'text'>[]): Omit<StageUsage, 'durationMs'> {
  const sum = (value: (turn: Omit<StageText, 'text'>) => number) =>
    turns.reduce((total, turn) => total + value(turn), 0)
  return {
    inputTokens: sum((turn) => turn.inputTokens),
    outputTokens: sum((turn) => turn.outputTokens),
    toolCalls: sum((turn) => turn.toolCalls),
  }
}

/** A person's file is never overwritten, also when it appeared while the stage ran. */
async function* writeOutput(run: StageRun, path: string, text: string): StageEvents<WrittenOutput> {
  if (await exists(path)) {
    const aside = await keepAside(run, text)
    throw new PipelineError({
      code: 'pipeline/output-appeared',
      what: `${workspacePath(run.workspace, path)} was not overwritten: it appeared while the stage ran.`,
      why: 'A file that a person may have written is never replaced.',
      instead: `The stage's text is in ${workspacePath(run.workspace, aside)}; keep whichever you want.`,
    })
  }
  await writeFileAtomically(path, text)
  const output = { path: workspacePath(run.workspace, path), characters: text.length, sha256: sha256(text) }
  yield { type: 'output-written', ...output }
  return output
}

/** What a failed turn did write is kept in the run's folder and named in the error. */
async function* keepOnFailure<Result>(run: StageRun, events: StageEvents<Result>): StageEvents<Result> {
  try {
    return yield* events
  } catch (error) {
    if (
      !(error instanceof PipelineError) ||
      typeof error.details.text !== 'string' ||
      error.details.text === ''
    )
      throw error
    const aside = workspacePath(run.workspace, await keepAside(run, error.details.text))
    const { code, what, why, details } = error
    throw new PipelineError(
      {
        code,
        what,
        why,
        instead: `${error.instead} What it did write is in ${aside}.`,
        details: { ...details, keptAt: aside },
      },
      { cause: error },
    )
  }
}

async function keepAside(run: StageRun, text: string): Promise<string> {
  const path = join(
    run.folder.runFolder(run.run),
    'kept',
    `${run.stage.name}-${run.attempt}-${Date.now()}.md`,
  )
  await writeFileAtomically(path, `${text}\n`)
  return path
}
