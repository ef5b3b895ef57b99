import { maxDuration, maxSteps, maxToolCalls } from '@icm/agent-loop'
import { findStage, type Workspace } from '@icm/context-loader'
import { IcmError } from '@icm/errors'
import { PipelineError, type PipelineOptions, type PipelineResult, runPipeline } from '@icm/pipeline'
import type { EffectStore } from '@icm/tool-registry'
import { chooseModel } from '../choose-model.js'
import { type Configuration, readConfiguration } from '../config.js'
import type { KeyPlace } from '../model-search.js'
import { nextCommand } from '../next-command.js'
import { openCassettes } from '../open-cassettes.js'
import type { ChosenModel } from '../open-model.js'
import { openTools, type ToolSources } from '../open-tools.js'
import { count, createEventPrinter, type EventPrinter, seconds } from '../print-event.js'
import { staleLine } from '../print-gate.js'
import type { Command, CommandContext } from '../run-cli.js'
import { shellCommand } from '../shell-word.js'
import { canRewrite } from '../style.js'
import { openWorkspaceEffects } from '../workspace-effects.js'
import { type GrantOptions, requireGrant, requireKeyGrant } from '../workspace-grant.js'
import { openChosenWorkspace, withPlaceholders, workspaceOption } from '../workspace-option.js'

/** `icm run`: the next unfinished stage, then stop at the gate. */
export const runCommand: Command = {
  help: {
    name: 'run',
    summary: 'runs the next unfinished stage and stops for your review',
    positionals: [],
    options: {
      ...workspaceOption,
      all: { type: 'boolean', description: 'go through every gate' },
      stage: {
        type: 'string',
        value: '<stage>',
        description: 'run this stage (name or number) instead of the next one',
      },
      provider: {
        type: 'string',
        value: '<name>',
        description: 'auto, ollama, openai-compatible or llama (the embedded engine)',
      },
      model: {
        type: 'string',
        value: '<name>',
        description: 'model on the server, a cached model file, or a path to a .gguf file',
      },
      host: {
        type: 'string',
        value: '<host>',
        description:
          'Ollama server (default OLLAMA_HOST, else 127.0.0.1:11434), or base URL of an OpenAI-compatible one',
      },
      record: {
        type: 'string',
        value: '<file>',
        description: 'write every answer of the model to a cassette',
      },
      replay: { type: 'string', value: '<file>', description: 'answer from a cassette instead of a model' },
      'trust-workspace': {
        type: 'boolean',
        description: "let the workspace's own programs start without asking",
      },
    },
    example: 'icm run --model qwen2.5-coder:1.5b',
    notes:
      'A stage is done when its outputs exist. Edit an output before you go on; delete it, and its stage runs again.\nCtrl-C keeps what is finished: the same command goes on from there.',
  },
  run: runWorkspace,
}

function runWorkspace(context: CommandContext): Promise<number> {
  const { flags, values } = context.arguments
  return runStages(
    context,
    { all: flags.all === true, ...(values.stage === undefined ? {} : { stage: values.stage }) },
    values,
  )
}

/** Runs what a command has chosen; the model is opened only once it is clear that there is something to run. */
export async function runStages(
  context: CommandContext,
  selection: Pick<PipelineOptions, 'all' | 'stage' | 'redo'>,
  values: CommandContext['arguments']['values'],
): Promise<number> {
  const found = await openChosenWorkspace(context)
  const configuration = await readConfiguration(found.root)
  const workspace = withPlaceholders(found, configuration)
  const cassettes = await openCassettes({
    record: values.record,
    replay: values.replay,
    currentFolder: context.currentFolder,
    delayMs: replayDelayMs(context.env),
  })
  const redoCommand = nextCommand(context, 'redo')
  const printer = createEventPrinter({
    write: (text) => context.stdout.write(text),
    style: context.style,
    canRewrite: canRewrite(context.stdout, context.env),
    columns: () => context.stdout.columns,
    continueCommand: nextCommand(context, 'run'),
    redoCommand,
    all: selection.all === true,
  })
  printer.note(`workspace ${workspace.root}, ${workspace.stages.length} stages`)
  let opened: ChosenModel | undefined
  const trust = grantOptions(context, workspace.root, configuration)
  const choosing = {
    ...context,
    onWarning: printer.warn,
    requireKeyGrant: (place: KeyPlace) => requireKeyGrant(place, trust),
  }
  const effects = await openWorkspaceEffects(workspace)
  const model = async () => {
    printer.wait('opening the model')
    const given = cassettes.replayed ?? context.model
    opened = given === undefined ? await chooseModel(configuration, values, choosing) : undefined
    const chosen = (given ?? opened) as ChosenModel
    for (const warning of chosen.warnings) printer.warn(`not used: ${warning}`)
    const window = count(chosen.model.contextWindow ?? configuration.model.contextWindow)
    printer.note(`model ${chosen.description}, window ${window} tokens (${chosen.why})`)
    return cassettes.recording(chosen.model)
  }
  try {
    const result = await runPipeline({
      workspace,
      model,
      ...selection,
      ...settingsOf(configuration),
      openTools: (stage, run) => openTools(stage, run, { ...toolSources(trust, context, printer), effects }),
      signal: context.signal,
      onEvent: (event) => printer.print(event),
    })
    if (result.stages.length > 1) for (const line of summaryLines(result)) printer.note(line)
    if (result.stages.length === 0) {
      for (const stage of result.stale) printer.warn(staleLine(stage, redoCommand))
      printer.note(`nothing to do: every stage is done. ${shellCommand(redoCommand)} <stage> runs one again.`)
    }
    return 0
  } catch (error) {
    if (IcmError.isInstance(error) && error.code === 'pipeline/suspended')
      throw await waitsForPerson(error, effects, context)
    throw withOptions(error, { workspace, stage: selection.stage, redoCommand })
  } finally {
    printer.close()
    // An engine in the middle of a batch would hold up a person who has said stop; the end of the process frees it.
    if (context.signal.aborted) void opened?.close().catch(() => undefined)
    else await opened?.close()
  }
}

/** The pipeline knows its own commands, but not the options that this one was given. */
function withOptions(
  error: unknown,
  {
    workspace,
    stage = '',
    redoCommand,
  }: { workspace: Workspace; stage: string | undefined; redoCommand: readonly string[] },
): unknown {
  if (!IcmError.isInstance(error) || error.code !== 'pipeline/stage-done') return error
  const command = shellCommand([...redoCommand, findStage(workspace, stage).name])
  const { what, why, details } = error
  const instead = `To archive it and run the stage again: ${command}`
  return new PipelineError({ code: error.code, what, why, instead, details }, { cause: error })
}

/** The calls that wait, with their ids: the pipeline knows the calls, the store what a person can decide. */
async function waitsForPerson(
  error: IcmError,
  effects: EffectStore,
  context: CommandContext,
): Promise<PipelineError> {
  const { listWaiting } = await import('@icm/tool-registry')
  const { describeWaiting } = await import('../describe-waiting.js')
  const lines = (await listWaiting(effects)).flatMap(describeWaiting)
  const [approve, reject] = (['approve', 'reject'] as const).map((name) =>
    shellCommand(nextCommand(context, name)),
  )
  return new PipelineError(
    {
      code: 'pipeline/suspended',
      what: `The stage waits for your consent:\n${lines.join('\n')}`,
      why: error.why,
      instead: `Decide with ${approve} <id> or ${reject} <id>, then run again. A tool that only reads can be granted for good: [servers.<name>.tools.<tool>] effect = "read" in icm.config.toml.`,
      details: error.details,
    },
    { cause: error },
  )
}

function settingsOf({ model, workflow }: Configuration) {
  return {
    temperature: model.temperature,
    maxOutputTokens: model.maxOutputTokens,
    ...(model.maxItemTokens === undefined ? {} : { maxItemTokens: model.maxItemTokens }),
    ...(model.seed === undefined ? {} : { seed: model.seed }),
    stopWhen: [
      maxToolCalls(workflow.maxToolCalls),
      maxSteps(workflow.maxTurns),
      maxDuration(workflow.maxMinutes * 60_000),
    ],
  }
}

function grantOptions(
  { env, ask, arguments: { flags } }: CommandContext,
  workspaceRoot: string,
  configuration: Configuration,
): GrantOptions {
  const trusted = flags['trust-workspace'] === true
  return { workspaceRoot, configuration, trusted, env, ...(ask === undefined ? {} : { ask }) }
}

function toolSources(
  trust: GrantOptions,
  { signal, ask }: CommandContext,
  printer: EventPrinter,
): Omit<ToolSources, 'effects'> {
  const { workspaceRoot, configuration } = trust
  const { note: onNote, warn: onWarning } = printer
  const asking = ask === undefined ? {} : { ask }
  return {
    workspaceRoot,
    configuration,
    signal,
    onNote,
    onWarning,
    ...asking,
    requireGrant: () => requireGrant(trust),
  }
}

/** What several stages cost together; one alone has said so at its end. */
function summaryLines({ stages }: PipelineResult): readonly string[] {
  const sum = (value: (stage: PipelineResult['stages'][number]) => number) =>
    count(stages.reduce((total, stage) => total + value(stage), 0))
  const times = stages.map((stage) => `${stage.stage} ${seconds(stage.usage.durationMs)}`)
  const totalMs = stages.reduce((total, stage) => total + stage.usage.durationMs, 0)
  return [
    `time: ${seconds(totalMs)} (${times.join(', ')})`,
    `tokens: ${sum((stage) => stage.usage.inputTokens)} in, ${sum((stage) => stage.usage.outputTokens)} out; tool calls: ${sum((stage) => stage.usage.toolCalls)}; unsupported claims: ${sum((stage) => stage.claims.length)}`,
  ]
}

/** The demo's replay is read by a person, a test's is not. */
function replayDelayMs(env: NodeJS.ProcessEnv): number {
  return Number(env.ICM_REPLAY_DELAY_MS ?? 0) || 0
}
