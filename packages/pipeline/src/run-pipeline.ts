import type { ChatModel } from '@icm/chat-model'
import type { StageRef, Workspace } from '@icm/context-loader'
import { IcmError } from '@icm/errors'
import { acquireLock, type Lock, removeStaleTemporaries } from '@icm/safe-files'
import { countAttempt } from './attempts.js'
import { openGate, staleStages } from './gate.js'
import { type Journal, openJournal } from './journal.js'
import { mapEvents } from './map-events.js'
import { finishRun, openRun, type RunRecord } from './run-record.js'
import { loadReadyStage, runStage } from './run-stage.js'
import { type Selection, selectStages } from './select-stages.js'
import { readStatus } from './stage-status.js'
import { ensureStateFolder, refuseLinks, type StateFolder } from './state-folder.js'
import type {
  PipelineEvent,
  PipelineEventBody,
  PipelineOptions,
  PipelineResult,
  StageResult,
} from './types.js'
import { workspaceFaults } from './workspace-faults.js'

/**
 * Runs the next unfinished stage of a workspace and stops at the gate (`all`: every stage), yielding what happens as
 * plain JSON events; each is in the run's journal before it is yielded. Returns what `run-end` announces.
 *
 * The workspace is locked meanwhile. Throws `lock/held`, `PipelineError`, `ChatModelError`, and `signal.reason` on
 * abort; finished stages and items stay, and the same call goes on from there.
 */
export async function* streamPipeline(
  options: PipelineOptions,
): AsyncGenerator<PipelineEvent, PipelineResult, void> {
  const folder = await ensureStateFolder(options.workspace)
  const lock = await acquireLock(folder.lock, options.redo === undefined ? 'icm run' : 'icm redo')
  try {
    await removeTemporariesOfKilledRuns(folder, options.workspace)
    const selection = await selectStages(options)
    if (selection.chosen.length === 0) return { outcome: 'finished', stages: [], stale: selection.stale }
    const [first] = selection.chosen
    // A model can take minutes to open, and a stage that cannot start needs none.
    if (first !== undefined)
      await loadReadyStage({ workspace: options.workspace, stage: first, redo: options.redo })
    const model = typeof options.model === 'function' ? await options.model() : options.model
    const { record, resumed } = await openRun(folder)
    await refuseLinks(folder.runFolder(record.id))
    const journal = await openJournal(folder.journal(record.id))
    try {
      return yield* runStages({
        options: { ...options, model },
        folder,
        lock,
        record,
        resumed,
        journal,
        ...selection,
      })
    } finally {
      await journal.close()
    }
  } finally {
    await lock.release()
  }
}

async function removeTemporariesOfKilledRuns(folder: StateFolder, workspace: Workspace): Promise<void> {
  const stages = workspace.stages.map(({ name }) => folder.stageFolder(name))
  for (const place of [folder.root, ...stages]) await removeStaleTemporaries(place)
}

/** `streamPipeline` as a promise; `onEvent` is awaited before the run goes on. */
export async function runPipeline(
  options: PipelineOptions & { readonly onEvent?: (event: PipelineEvent) => void | Promise<void> },
): Promise<PipelineResult> {
  const stream = streamPipeline(options)
  try {
    for (;;) {
      const next = await stream.next()
      if (next.done) return next.value
      await options.onEvent?.(next.value)
    }
  } finally {
    await stream.return(undefined as never)
  }
}

interface Session extends Selection {
  readonly options: PipelineOptions & { readonly model: ChatModel }
  readonly folder: StateFolder
  readonly lock: Lock
  readonly record: RunRecord
  readonly resumed: boolean
  readonly journal: Journal
}

async function* runStages(session: Session): AsyncGenerator<PipelineEvent, PipelineResult, void> {
  const { options, record, lock } = session
  const { id, contextWindow } = options.model
  yield await emit(session, {
    type: 'run-start',
    model: id,
    resumed: session.resumed,
    ...(contextWindow === undefined ? {} : { contextWindow }),
  })
  if (lock.takenOverFrom !== undefined) {
    yield await emit(session, {
      type: 'lock-taken-over',
      pid: lock.takenOverFrom.pid,
      since: lock.takenOverFrom.since,
    })
  }
  for (const { stage, outputs } of session.skipped)
    yield await emit(session, { type: 'stage-skip', outputs }, { stage: stage.name })
  const finished: StageResult[] = []
  for (const stage of session.chosen) {
    const result = yield* runOneStage(session, stage)
    finished.push(result)
    yield await emit(
      session,
      { type: 'gate', ...(await openGate(options.workspace, result)) },
      { stage: stage.name },
    )
  }
  const statuses = await readStatus(options.workspace)
  const complete = statuses.every((status) => status.state === 'done')
  const outcome = complete && workspaceFaults(options.workspace).length === 0 ? 'finished' : 'gate'
  const stale = staleStages(statuses)
  if (outcome === 'finished') await finishRun(session.folder, record)
  yield await emit(session, { type: 'run-end', outcome, stale })
  return { outcome, run: record.id, stages: finished, stale }
}

async function* runOneStage(
  session: Session,
  stage: StageRef,
): AsyncGenerator<PipelineEvent, StageResult, void> {
  const { options, folder, record } = session
  const { workspace, openTools, redo } = options
  let place: { readonly stage: string; readonly attempt?: number } = { stage: stage.name }
  try {
    await refuseLinks(folder.stageFolder(stage.name))
    await refuseLinks(folder.itemsFolder(stage.name))
    const { attempt, ignored } = await countAttempt(folder, stage.name)
    place = { stage: stage.name, attempt }
    if (ignored !== undefined) yield await emit(session, ignored, place)
    const run = { workspace, stage, folder, run: record.id, attempt, settings: options, openTools, redo }
    return yield* mapEvents(runStage(run), ({ item, ...body }) =>
      emit(session, body, { ...place, ...(item === undefined ? {} : { item }) }),
    )
  } catch (error) {
    if (IcmError.isInstance(error)) {
      const { code, what, why, instead } = error
      const failure = { type: 'stage-failed', code, what, why, instead } as const
      // A full disk also refuses this line; the failure itself is what the caller must see.
      await emit(session, failure, place).catch(() => undefined)
    }
    throw error
  }
}

async function emit(
  session: Session,
  body: PipelineEventBody,
  place: { readonly stage?: string; readonly attempt?: number; readonly item?: number } = {},
): Promise<PipelineEvent> {
  const event: PipelineEvent = {
    v: 1,
    run: session.record.id,
    time: new Date().toISOString(),
    ...place,
    ...body,
  }
  await session.journal.append(event)
  return event
}
