import { expect, it } from 'vitest'
import { formatCsv } from './format-csv.js'
import { formatTable } from './format-table.js'
import { plotSvg } from './plot-svg.js'
import type { ResultRow } from './results.js'
import { summarize } from './summarize.js'
import { wilson } from './wilson.js'

const row = (given: Partial<ResultRow>): ResultRow => ({
  kind: 'request',
  key: 'k',
  model: 'small',
  tools: 5,
  repeat: 1,
  task: 'read-1',
  expected: 'read_document',
  how: 'native',
  isCold: false,
  firstTokenMs: 100,
  elapsedMs: 200,
  ...given,
})
const rows = [
  row({ chosen: 'read_document', isCold: true, firstTokenMs: 3000, schemaTokens: 812 }),
  row({ chosen: 'read_document', how: 'recovered', wrongArguments: true, firstTokenMs: 200 }),
  row({ chosen: 'find_documents', firstTokenMs: 400 }),
  row({ how: 'none' }),
  row({ model: 'a, "large" <one>', tools: 40, chosen: 'read_document' }),
]

it.each([
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [20, 40, 0.352, 0.648],
  [38, 40, 0.835, 0.9862],
  [0, 0, 0, 1],
])('wilson(%i of %i) is %f to %f', (successes, trials, low, high) => {
  expect(wilson(successes, trials).low).toBeCloseTo(low, 3)
  expect(wilson(successes, trials).high).toBeCloseTo(high, 3)
})

it('counts for each model and number of tools', () => {
  expect(summarize(rows)[0]).toMatchObject({
    model: 'small',
    tools: 5,
    requests: 4,
    right: 2,
    schemaTokens: 812,
    firstToken: { coldMs: 3000, warmMs: 200 },
    wrongArguments: 1,
    native: 2,
    recovered: 1,
    none: 1,
  })
  expect(summarize(rows)).toHaveLength(2)
})

it('the table has a line for each number of tools', () => {
  const table = formatTable(summarize(rows))
  expect(table).toMatch(/^small\ntools +right +95 % +schema tokens/)
  expect(table).toMatch(/^ +5 +2\/4 50 % +15 %–85 % +812 +3\.0 s\/0\.2 s +1 +2\/1\/1$/m)
  expect(table).toMatch(/^ +40 +1\/1 100 % +21 %–100 % +– +–\/0\.1 s +0 +1\/0\/0$/m)
})

it('CSV quotes what has to be, and leaves empty what is not known', () => {
  const [head, first, second] = formatCsv(summarize(rows)).split('\n')
  expect(head).toMatch(/^model,tools,requests,right,right_share,low_95,high_95,schema_tokens,/)
  expect(first).toBe('small,5,4,2,0.5000,0.1500,0.8500,812,3000,200,1,2,1,1')
  expect(second).toBe('"a, ""large"" <one>",40,1,1,1.0000,0.2065,1.0000,,,100,0,1,0,0')
})

it('the plot has a line, points and intervals for each model, and is well-formed', () => {
  const svg = plotSvg(summarize(rows))
  expect(svg.match(/<circle /g)).toHaveLength(2)
  expect(svg).toContain('● a, &quot;large&quot; &lt;one>')
  expect(svg).toContain('<title>40 tools: 100 %</title>')
  const opened = svg.match(/<[a-z]+(?:\s[^>]*[^/])?>/g)?.length
  expect(svg.match(/<\/[a-z]+>/g)).toHaveLength(opened ?? -1)
})
