import { expect, it } from 'vitest'
import { findConfusions, formatConfusions } from './confusions.js'
import type { ResultRow } from './results.js'
import { toolSet } from './tool-set.js'

const row = (task: string, expected: string, chosen?: string, unknown?: string): ResultRow => ({
  kind: 'request',
  key: task,
  model: 'small',
  tools: 40,
  repeat: 1,
  task,
  expected,
  ...(chosen === undefined ? {} : { chosen }),
  ...(unknown === undefined ? {} : { unknown }),
  how: chosen === undefined ? 'none' : 'native',
  isCold: false,
  firstTokenMs: 1,
  elapsedMs: 1,
})
const rows = [
  row('read-1', 'read_document', 'find_documents'),
  row('read-2', 'read_document', 'read_document'),
  row('read-3', 'read_document', 'find_documents'),
  row('run-1', 'run_program', 'calculate_expression'),
  row('run-2', 'run_program', undefined, 'open_shell'),
  row('run-3', 'run_program'),
]

it('the most frequent pairs come first; right calls and missing ones are no pairs', () => {
  expect(findConfusions(rows)).toEqual([
    { expected: 'read_document', chosen: 'find_documents', times: 2, tasks: ['read-1', 'read-3'] },
    { expected: 'run_program', chosen: 'calculate_expression', times: 1, tasks: ['run-1'] },
  ])
})

it('at most ten', () => {
  const many = Array.from({ length: 15 }, (_, index) =>
    row(`read-${index}`, 'read_document', `tool_${index}`),
  )
  expect(findConfusions(many)).toHaveLength(10)
})

it('each pair has the texts of both and the three remedies', () => {
  const text = formatConfusions(rows, toolSet(40, 1))
  expect(text).toContain(
    '2 of 6 requests ended without a call of one of the tools; names that no tool has: open_shell.',
  )
  expect(text).toContain('## read_document → find_documents (2 ×; read-1, read-3)')
  expect(text).toMatch(/- `find_documents`: Returns which files are in the folder: .*Rejected: /)
  expect(text.match(/^[123]\. (Merge|Remove one|Rewrite both)/gm)).toHaveLength(6)
  expect(text).toContain(
    '- calculate_expression: "Returns the value of an arithmetic expression with + - * / ^ and parentheses."',
  )
  expect(formatConfusions([row('read-1', 'read_document', 'read_document')], [])).toContain(
    'No tool was taken for another one.',
  )
})
