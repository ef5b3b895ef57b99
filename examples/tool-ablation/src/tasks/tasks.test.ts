import { createToolRegistry } from '@icm/tool-registry'
import { expect, it } from 'vitest'
import { matchesGiven } from '../matches-given.js'
import { noteCalls } from '../note-calls.js'
import { realTools } from '../tool-set.js'
import { type Task, tasks } from './index.js'

it('there are 40, eight for each real tool, all different', () => {
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(40)
  expect(new Set(tasks.map(({ user }) => user)).size).toBe(40)
  for (const { name } of realTools) expect(tasks.filter(({ expected }) => expected === name)).toHaveLength(8)
})

it.each(tasks.flatMap((task) => (task.given ?? []).map((given) => [task.id, task, given] as const)))(
  '%s: what the request gives is a valid call and counts as right',
  async (_, task, given) => {
    const { runner, calls } = noteCalls(realTools)
    const optional: Record<string, unknown> = task.expected === 'run_program' ? { files: ['x'] } : {}
    await runner.run({ id: 'c', name: task.expected, arguments: { ...optional, ...given } }, {})
    expect(calls[0]?.outcome.status).toBe('ok')
    expect(matchesGiven(task, calls[0]?.input ?? {})).toBe(true)
  },
)

it('arguments are compared without case, leading "./" and what was not given', () => {
  const task: Task = {
    id: 't',
    user: '',
    expected: 'x',
    given: [{ path: 'Notes/a.md', from: 2 }, { files: ['a', 'b'] }],
  }
  expect(matchesGiven(task, { path: './notes/A.md', from: 2, lines: 9 })).toBe(true)
  expect(matchesGiven(task, { files: ['a', './b'] })).toBe(true)
  expect(matchesGiven(task, { path: 'notes/a.md' })).toBe(false)
  expect(matchesGiven(task, { files: ['b', 'a'] })).toBe(false)
  expect(matchesGiven({ id: 't', user: '', expected: 'x' }, {})).toBe(true)
})

it('the tools are offered exactly as they are', () => {
  const asTheyAre = createToolRegistry({ tools: realTools, session: { trust: 'host' } }).specs()
  expect(noteCalls(realTools).runner.specs()).toEqual(asTheyAre)
})
