import { describe, expect, it } from 'vitest'
import { sessionsOfJournal } from './journal-sessions.js'
import { toolStatistics } from './statistics.js'

const agent = (stage: string, event: object) =>
  JSON.stringify({ v: 1, run: 'r1', time: 't', type: 'agent', stage, event })
const toolEnd = (name: string, status: string, more: object = {}) => ({
  type: 'tool-end',
  step: 1,
  call: { id: '1', name, arguments: {} },
  status,
  durationMs: 10,
  ...more,
})

describe('statistics from a journal', () => {
  const journal = [
    JSON.stringify({ v: 1, run: 'r1', time: 't', type: 'run-start', model: 'm' }),
    agent('01-scope', { type: 'run-start', tools: [] }),
    agent('02-research', { type: 'run-start', tools: ['search', 'fetch_urls'] }),
    agent('02-research', toolEnd('Search', 'ok')),
    agent('02-research', toolEnd('search', 'error', { durationMs: 30 })),
    agent('02-research', toolEnd('search', 'ok', { notRun: 'stuck' })),
    agent('02-research', toolEnd('invented', 'error')),
    '{"v":1,"run":"r1","type":"agent","stage":"02-rese',
  ].join('\n')

  it('counts the calls that were made, by stage', () => {
    expect(sessionsOfJournal(journal)).toEqual([
      {
        tools: ['search', 'fetch_urls'],
        calls: [
          { name: 'Search', status: 'ok', durationMs: 10 },
          { name: 'search', status: 'error', durationMs: 30 },
          { name: 'invented', status: 'error', durationMs: 10 },
        ],
      },
    ])
    expect(toolStatistics(sessionsOfJournal(journal))).toEqual([
      {
        name: 'search',
        uses: 2,
        sessions: 1,
        sessionShare: 1,
        errors: 1,
        errorShare: 0.5,
        meanMs: 20,
        advice: 'keep',
      },
      { name: 'fetch_urls', uses: 0, sessions: 1, sessionShare: 0, errors: 0, errorShare: 0, advice: 'keep' },
    ])
    expect(
      toolStatistics(sessionsOfJournal(journal), { minSessions: 1 }).map(({ advice }) => advice),
    ).toEqual(['rewrite-errors', 'remove'])
  })

  it.each(['', 'no json', '7', 'null', '{"type":"agent"}', '{"type":"agent","event":{"type":"tool-end"}}'])(
    'reads nothing from %j',
    (text) => {
      expect(sessionsOfJournal(text)).toEqual([])
    },
  )
})
