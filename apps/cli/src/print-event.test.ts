import type { PipelineEvent, PipelineEventBody } from '@icm/pipeline'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEventPrinter, type EventPrinterOptions } from './print-event.js'
import { canRewrite, createStyle } from './style.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function printerOn(
  terminal: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
  options: Partial<EventPrinterOptions> = {},
) {
  let text = ''
  const printer = createEventPrinter({
    write: (piece) => {
      text += piece
    },
    style: createStyle(terminal, env),
    canRewrite: canRewrite(terminal, env),
    columns: () => terminal.columns,
    continueCommand: ['icm', 'run'],
    redoCommand: ['icm', 'redo'],
    all: false,
    ...options,
  })
  const print = (body: PipelineEventBody) =>
    printer.print({ v: 1, run: 'r', time: 't', stage: '01-x', ...body } as PipelineEvent)
  return { printer, print, text: () => text }
}

it.each([
  [{ isTTY: true, columns: 100 }, { TERM: 'xterm', NO_COLOR: '1' }, '\r\u001b[2K  … opening the model, 1 s'],
  [{ isTTY: true, columns: 10 }, { TERM: 'xterm', NO_COLOR: '1' }, '\r\u001b[2K  … openi'],
  [{ isTTY: true, columns: 1 }, { TERM: 'xterm', NO_COLOR: '1' }, '\r\u001b[2K'],
  [{ isTTY: true, columns: 0 }, { TERM: 'xterm', NO_COLOR: '1' }, '\r\u001b[2K  … opening the model, 1 s'],
  [{ isTTY: true, columns: 100 }, { TERM: 'dumb' }, ''],
  [{ isTTY: false }, { TERM: 'xterm' }, ''],
])('the waiting display of %j with %j', (terminal, env, afterOneSecond) => {
  const { printer, text } = printerOn(terminal, env)
  printer.wait('opening the model')
  vi.advanceTimersByTime(1_000)
  expect(text()).toBe(afterOneSecond)
  vi.advanceTimersByTime(9_000)
  printer.close()
  if (afterOneSecond === '') expect(text()).toBe('  … opening the model, 10 s\n')
  else expect(text().endsWith('\r\u001b[2K')).toBe(true)
})

it('prints a call whose arguments nest by the thousands', () => {
  const { print, text } = printerOn({}, {})
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)
  print({
    type: 'agent',
    event: {
      type: 'tool-start',
      step: 1,
      recovered: false,
      callKey: 'k',
      call: { id: '1', name: 'se\narch', arguments: deep },
    },
  })
  expect(text()).toBe('  > se\\narch (nested too deeply to be shown)\n')
})

it('shows every name with its control characters as escapes', () => {
  const { print, printer, text } = printerOn({}, {})
  const evil = 'a\u001b[2K\nb\u202e'
  const stage = evil
  print({
    type: 'stage-start',
    stage,
    tokens: 1,
    turns: 2,
    tools: [evil],
    reads: [],
    warnings: [evil],
    forEach: { item: evil, path: evil },
  } as PipelineEventBody)
  print({ type: 'stage-skip', stage, outputs: [evil] } as PipelineEventBody)
  print({
    type: 'stage-failed',
    stage,
    code: evil,
    what: evil,
    why: evil,
    instead: evil,
  } as PipelineEventBody)
  print({ type: 'state-ignored', path: evil, reason: evil })
  print({ type: 'item-start', index: 1, total: 2, heading: evil })
  print({ type: 'item-reused', index: 1, total: 2, heading: evil })
  print({ type: 'output-written', path: evil, characters: 1, sha256: '' })
  print({ type: 'stage-archived', paths: [evil] })
  print({ type: 'output-repair', reason: evil })
  print({
    type: 'gate',
    stage,
    outputs: [{ path: evil, characters: 1, sha256: '' }],
    claims: [{ kind: 'url', text: evil, line: 1 }],
    truncated: [evil],
    checkpoints: [evil],
    next: { stage: evil, turns: 1 },
    stale: [{ stage: evil, reasons: [evil] }],
  } as PipelineEventBody)
  printer.warn(evil)
  expect(text()).not.toMatch(/\p{Cf}|b\n?b/u)
  expect(text()).not.toContain('\u001b')
  // One line for each thing: a line feed in a name begins none.
  expect(
    text()
      .split('\n')
      .filter((line) => line.startsWith('b')),
  ).toEqual([])
  expect(text()).toContain("icm redo $'a\\x1b[2K\\nb\\xe2\\x80\\xae'")
})
