import { expect, it } from 'vitest'
import { misspelledSection, normaliseHeading, sectionNameOf } from './section-names.js'

it.each([
  ['Inputs', 'inputs'],
  ['**Inputs**', 'inputs'],
  ['📥 Inputs:', 'inputs'],
  ['1. Inputs', 'inputs'],
  ['2) OUTPUTS', 'outputs'],
  ['Verify (cross-stage audit)', 'verify'],
  ['CHECK — ritual (do not skip)', 'audit'],
  ['Process - the steps', 'process'],
  ['READ', 'inputs'],
  ['WRITE', 'outputs'],
  ['For each', 'for-each'],
  ['For-Each', 'for-each'],
  ['Review Gate', 'review-gate'],
  ['Acceptance Criteria (all must be GREEN)', 'audit'],
  ['`Tools`', 'tools'],
])('%s is %s', (heading, expected) => {
  expect(sectionNameOf(heading)).toBe(expected)
})

it.each([
  'Output Format',
  'Output File Naming Convention',
  'Multi-Pass Synthesis Process',
  'Verifiability',
  'Inputs and Outputs',
  '',
])('"%s" is no section that has a meaning', (heading) => {
  expect(sectionNameOf(heading)).toBeUndefined()
})

it('keeps the words of other headings', () => {
  expect(normaliseHeading('3. What This Stage Does *NOT* Do')).toBe('what this stage does not do')
  expect(normaliseHeading('snake_case_name')).toBe('snake_case_name')
})

it.each([
  ['Ouputs', 'outputs'],
  ['Proccess', 'process'],
  ['Inptus', 'inputs'],
  ['Output Format', undefined],
  ['Verification', undefined],
  ['Notes', undefined],
])('%s is a misspelling of %s', (heading, expected) => {
  expect(misspelledSection(heading)).toBe(expected)
})
