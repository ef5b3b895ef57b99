import type { AgentEvent } from '@icm/agent-loop'
import type { PassedAgentEvent, PipelineEvent } from '@icm/pipeline'
import { printGate } from './print-gate.js'
import { jsonLine, printable, printableName, type Style } from './style.js'

export interface EventPrinter {
  print(event: PipelineEvent): void
  /** A line of its own from outside the event stream, such as a server's message. */
  note(text: string): void
  /** As `note`, for what a person must not overlook. */
  warn(text: string): void
  /** Shows that something is waited for, until the next line. */
  wait(what: string): void
  /** Ends a line in hand and the waiting display. */
  close(): void
}

export interface EventPrinterOptions {
  readonly write: (text: string) => void
  readonly style: Style
  /** A waiting display is rewritten in place where that can be done, and else a line every ten seconds. */
  readonly canRewrite: boolean
  /** Of the terminal, in characters; undefined where it is not known. */
  readonly columns?: () => number | undefined
  /** The words by which the person goes on, such as `icm run`. */
  readonly continueCommand: readonly string[]
  /** The words before the stage in the command that runs it again, such as `icm redo`. */
  readonly redoCommand: readonly string[]
  /** The run goes on by itself: a gate says only what was found. */
  readonly all: boolean
}

const shownArguments = 400

/** Prints pipeline events as they come: one always sees what is being done, and nothing is silent for long. */
export function createEventPrinter(options: EventPrinterOptions): EventPrinter {
  const { write, style } = options
  let column = 0
  const waiting = createWaitingDisplay(options, () => column === 0)
  const text = (piece: string) => {
    waiting.stop()
    write(piece)
    column = piece.endsWith('\n') ? 0 : 1
  }
  const line = (content: string) => text(`${column === 0 ? '' : '\n'}${content}\n`)

  function printAgent(event: PassedAgentEvent): void {
    if (event.type === 'model') {
      if (event.event.type === 'text-delta') text(printable(event.event.text))
      if (event.event.type === 'reasoning-delta') waiting.start('thinking')
      return
    }
    const content = agentLine(event, style)
    if (content !== undefined) line(content)
    if (event.type === 'step-start' || event.type === 'synthesis-start') waiting.start('reading the prompt')
    if (event.type === 'tool-start') waiting.start('the tool is running')
  }

  function print(event: PipelineEvent): void {
    if (event.type === 'agent') printAgent(event.event)
    else if (event.type === 'gate') printGate(event, { ...options, line })
    else for (const content of pipelineLines(event, style)) line(content)
  }

  return {
    print,
    note: (content) => line(style.dim(printable(content))),
    warn: (content) => line(style.yellow(`warning: ${printableName(content)}`)),
    wait: (what) => waiting.start(what),
    close() {
      waiting.stop()
      if (column !== 0) write('\n')
      column = 0
    },
  }
}

const nudges = {
  empty: 'the answer was empty',
  'invented-result': 'that was no result of a tool but invented',
  'too-early': 'that answer came before the tools were used as the contract asks',
} as const

function agentLine(event: Exclude<PassedAgentEvent, { type: 'model' }>, style: Style): string | undefined {
  switch (event.type) {
    case 'message-end':
      return style.dim(`  ${describeUsage(event.usage)}`)
    case 'tool-start':
      return `  ${style.bold('>')} ${printableName(event.call.name)} ${shorten(jsonLine(event.call.arguments))}`
    case 'tool-end':
      return describeToolEnd(event, style)
    case 'many-tools':
      return style.yellow(
        `  warning: ${event.tools} tools take about ${count(event.tokens)} of the ${count(event.contextWindow)} tokens of the window (${Math.round((100 * event.tokens) / event.contextWindow)} %): offer fewer`,
      )
    case 'repetition':
      return style.dim('  (the model repeated one line again and again: stopped there)')
    case 'nudge':
      return style.dim(`  (${nudges[event.reason]}: asked once more)`)
    case 'retry':
      return style.dim(`  (${printableName(event.reason)} Asked once more.)`)
    case 'synthesis-start':
      return style.dim(`  (no more tools: ${printableName(event.reason)}; now the output is written)`)
    case 'compaction':
      return style.dim(
        `  (${event.shortenedResults} older tool results were shortened by ${count(event.removedCharacters)} characters to make room)`,
      )
    default:
      return undefined
  }
}

function pipelineLines(
  event: Exclude<PipelineEvent, { type: 'agent' | 'gate' }>,
  style: Style,
): readonly string[] {
  switch (event.type) {
    case 'run-start':
      return [style.dim(`run ${event.run} ${event.resumed ? 'goes on' : 'begins'}`)]
    case 'state-ignored':
      return [style.yellow(printableName(`warning: ${event.path} is not used: ${event.reason}`))]
    case 'lock-taken-over':
      return [style.yellow(`the lock of process ${event.pid}, which is dead, was taken over`)]
    case 'stage-skip':
      return [
        style.dim(
          printableName(`[skip] ${event.stage}: output already present (${event.outputs.join(', ')})`),
        ),
      ]
    case 'stage-start':
      return stageStartLines(event, style)
    case 'item-start':
      return [style.bold(`[${event.index}/${event.total}] ${printableName(event.heading)}`)]
    case 'item-reused':
      return [style.dim(`[${event.index}/${event.total}] ${printableName(event.heading)}: finished earlier`)]
    case 'item-cut':
      return [style.yellow(`  (the model went on with ${printableName(event.wentOnWith)}: cut off there)`)]
    case 'turn-end':
      return event.truncated ? [style.yellow('  the answer reached a token limit and may be cut off')] : []
    case 'output-repair':
      return [style.yellow(`  ${printableName(event.reason)}: asked once more for the document`)]
    case 'output-written':
      return [`${style.green('wrote')} ${printableName(event.path)} (${count(event.characters)} characters)`]
    case 'stage-archived':
      return event.paths.length === 0
        ? [style.dim('there was no output to archive')]
        : event.paths.map((path) => `archived: ${printableName(path)}`)
    case 'stage-failed':
      return [style.red(printableName(`stage ${event.stage} failed`))]
    case 'stage-end': {
      const { inputTokens, outputTokens, toolCalls, durationMs } = event.usage
      return [
        style.dim(
          `${count(inputTokens)} tokens in, ${count(outputTokens)} out, ${toolCalls} tool calls, ${seconds(durationMs)}`,
        ),
      ]
    }
    default:
      return []
  }
}

function stageStartLines(
  event: Extract<PipelineEvent, { type: 'stage-start' }>,
  style: Style,
): readonly string[] {
  const tools = event.tools.length === 0 ? 'no tools' : `tools: ${event.tools.join(', ')}`
  return [
    '',
    style.bold(printableName(`--- ${event.stage} ---`)),
    style.dim(
      printableName(`reads ${event.reads.length} files, about ${count(event.tokens)} tokens; ${tools}`),
    ),
    ...(event.forEach === undefined
      ? []
      : [
          style.dim(
            printableName(`for each: ${event.turns} × ${event.forEach.item} from ${event.forEach.path}`),
          ),
        ]),
    ...event.warnings.map((warning) => style.yellow(`warning: ${printableName(warning)}`)),
  ]
}

function describeUsage(usage: Extract<AgentEvent, { type: 'message-end' }>['usage']): string {
  const output = usage.outputTokens ?? 0
  const rate =
    usage.outputMs !== undefined && usage.outputMs > 0
      ? `, ${((1000 * output) / usage.outputMs).toFixed(1)} tokens/s`
      : ''
  const prompt =
    usage.promptMs === undefined
      ? ''
      : `; prompt ${count(usage.inputTokens ?? 0)} tokens read in ${seconds(usage.promptMs)}`
  return `${count(output)} tokens${rate}${prompt}`
}

function describeToolEnd(event: Extract<AgentEvent, { type: 'tool-end' }>, style: Style): string {
  if (event.status === 'ok')
    return `  ${style.green('<')} ${count(event.text.length)} characters in ${seconds(event.durationMs)}`
  const first = event.text.split('\n').find((part) => part.trim() !== '') ?? event.status
  return `  ${style.yellow('!')} ${printable(shorten(first))}`
}

function shorten(text: string): string {
  const whole = printable(text)
  return whole.length <= shownArguments
    ? whole
    : `${whole.slice(0, shownArguments)}… (${count(whole.length)} characters)`
}

/** A whole number with thousands separators. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** Milliseconds as seconds, with more digits where they are few. */
export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

function createWaitingDisplay(options: EventPrinterOptions, atLineStart: () => boolean) {
  let timer: NodeJS.Timeout | undefined
  let shown = false
  const clear = () => {
    if (shown && options.canRewrite) options.write('\r\u001b[2K')
    shown = false
  }
  /** One line at most: what wraps cannot be taken back. A width of 0 means that nobody knows it. */
  const fit = (status: string) => {
    const columns = options.columns?.() || 80
    return status.length < columns ? status : status.slice(0, Math.max(0, columns - 1))
  }
  return {
    start(what: string) {
      if (timer !== undefined) return
      const started = Date.now()
      let lastLine = 0
      timer = setInterval(() => {
        const waited = Math.round((Date.now() - started) / 1000)
        const status = `  … ${what}, ${waited} s`
        if (!atLineStart() && options.canRewrite) return
        if (options.canRewrite) options.write(`\r\u001b[2K${options.style.dim(fit(status))}`)
        else if (waited - lastLine >= 10) {
          lastLine = waited
          options.write(`${atLineStart() ? '' : '\n'}${options.style.dim(status)}\n`)
        }
        shown = true
      }, 1000)
      timer.unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
      clear()
    },
  }
}
