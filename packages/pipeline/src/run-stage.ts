import { dirname } from 'node:path'
import { estimateTokens, type StageContext } from '@icm/context-loader'
import { checkWritable, removeStaleTemporaries } from '@icm/safe-files'
import { archiveOutputs } from './archive-outputs.js'
import { PipelineError } from './errors.js'
import { optionsOf } from './for-each.js'
import { loadContext } from './load-context.js'
import { contractHash, readsOf, workspacePath, writeProvenance } from './provenance.js'
import { withSeenAddresses } from './seen-addresses.js'
import { refuseIfFaulty, refuseIfTooLarge, stageFaults, warningsOf } from './stage-checks.js'
import { stageOutputs } from './stage-outputs.js'
import type { StageEvents, StageRun } from './stage-run.js'
import type { PipelineEventBody, StageResult, StageTools } from './types.js'
import { writeOutputs } from './write-outputs.js'

/**
 * Runs one stage from its contract to its written outputs. Throws a `PipelineError` when it cannot start (missing
 * inputs, a context larger than the window) or has no output, a `SafeFilesError` when it could not write one; nothing half-written is left in either case. With
 * `redo` the old outputs are archived, but only once it is clear that the stage can start.
 */
export async function* runStage(run: StageRun): StageEvents<StageResult> {
  const started = performance.now()
  const { context, outputPlaces } = await loadReadyStage(run)
  const paths = outputPlaces.files.map((file) => file.path)
  const folders = new Set([run.folder.itemsFolder(run.stage.name), ...paths.map((path) => dirname(path))])
  for (const folder of folders) await removeStaleTemporaries(folder)
  // Now, and not when the text is there: a turn can take an hour.
  await checkWritable([...paths, run.folder.provenance(run.stage.name)])
  const tools = await openStageTools(run, context)
  try {
    const specs = tools?.specs() ?? []
    const toolTokens = specs.length === 0 ? 0 : estimateTokens(JSON.stringify(specs))
    refuseIfTooLarge(context, run.settings.model.contextWindow, {
      count: specs.length,
      tokens: toolTokens,
    })
    if (run.redo !== undefined) yield { type: 'stage-archived', paths: await archiveOutputs(run) }
    yield stageStart(
      run,
      context,
      specs.map((spec) => spec.name),
    )
    // Read and kept before the turns: what a person edits meanwhile was not what the output was made from, and an
    // output that is there always has its provenance.
    const provenance = await provenanceOf(run, context)
    await writeProvenance(run.folder, run.stage.name, provenance)
    const { outputs, claims, truncated, usage: tokens } = yield* writeOutputs(run, context, paths, tools)
    const usage = { ...tokens, durationMs: Math.round(performance.now() - started) }
    const finishedAt = new Date().toISOString()
    await writeProvenance(run.folder, run.stage.name, { ...provenance, outputs, usage, finishedAt })
    yield { type: 'stage-end', usage, claims, truncated }
    return { stage: run.stage.name, outputs, usage, claims, truncated }
  } finally {
    await tools?.close?.()
  }
}

/** What a stage reads and writes. Throws `pipeline/stage-not-ready` when it cannot start, whatever the model. */
export async function loadReadyStage({
  workspace,
  stage,
  redo,
}: Pick<StageRun, 'workspace' | 'stage' | 'redo'>) {
  const context = await loadContext(workspace, stage)
  const outputPlaces = await stageOutputs(workspace, context, { again: redo !== undefined })
  refuseIfFaulty(stage.name, stageFaults(workspace, context, outputPlaces))
  return { context, outputPlaces }
}

function stageStart(run: StageRun, context: StageContext, tools: readonly string[]): PipelineEventBody {
  const { forEach } = context.contract
  return {
    type: 'stage-start',
    tokens: context.tokens,
    turns: Math.max(1, context.items.length),
    ...(forEach === undefined ? {} : { forEach: { item: forEach.item, path: forEach.path } }),
    tools,
    reads: context.parts.map(({ path, layer, tokens, sha256 }) => ({
      path: workspacePath(run.workspace, path),
      layer,
      tokens,
      sha256,
    })),
    warnings: warningsOf(context),
  }
}

async function provenanceOf(run: StageRun, context: StageContext) {
  return {
    run: run.run,
    attempt: run.attempt,
    model: run.settings.model.id,
    options: optionsOf(run.settings),
    contractSha256: contractHash(context),
    reads: await readsOf(run.workspace, context),
  }
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
  const tools = await run.openTools(context, run.run)
  return withSeenAddresses(tools, [context.system, context.user])
}
