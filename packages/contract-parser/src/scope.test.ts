import { describe, expect, it } from 'vitest'
import { parseScope } from './scope.js'

describe('parseScope', () => {
  it.each([
    '',
    '-',
    '—',
    'n/a',
    'Full',
    'Full file',
    'the whole document',
    'Complete',
    'all files',
    'Full file (if exists)',
    'Entire file.',
  ])('"%s" is the whole file', (text) => {
    expect(parseScope(text)).toEqual({ kind: 'full', text })
  })

  it.each([
    ['"Colors" and "Typography" sections', ['Colors', 'Typography'], true],
    ['“Audit Slug” section', ['Audit Slug'], true],
    ['`## Avatar`, `## Current Pain`', ['Avatar', 'Current Pain'], true],
    ['## Avatar', ['Avatar'], true],
    ['"A, B" only', ['A, B'], true],
    ['§ Constraints', ['Constraints'], true],
    ['Core Voice + Tone Dial sections', ['Core Voice', 'Tone Dial'], false],
    ['Differentiators; Tagline', ['Differentiators', 'Tagline'], false],
    ['`format`, `channel`', ['format', 'channel'], false],
    ['"A" and the rest', ['A', 'the rest'], false],
  ])('%s names %j (quoted: %s)', (text, names, quoted) => {
    expect(parseScope(text)).toEqual({ kind: 'names', names, quoted, text })
  })

  it.each([
    ['"Hard Constraints" through "What Not"', 'Hard Constraints', 'What Not'],
    ['“A” – “B”', 'A', 'B'],
    ['`## A` -> `## B`', 'A', 'B'],
    ['"A" to "B"', 'A', 'B'],
    ['"A" until "B"', 'A', 'B'],
    ['Intro through Tone', 'Intro', 'Tone'],
  ])('%s is a range', (text, from, to) => {
    expect(parseScope(text)).toEqual({ kind: 'range', from, to, text })
  })

  it('does not take the everyday word "to" for a range of bare names', () => {
    expect(parseScope('Routes to palette, typography').kind).toBe('names')
  })

  it.each([
    ['lines 10-20', 10, 20],
    ['Lines 3 to 4', 3, 4],
    ['line 7', 7, 7],
  ])('%s', (text, from, to) => {
    expect(parseScope(text)).toEqual({ kind: 'lines', from, to, text })
  })

  it('reads latest, slugs, and leaves a sentence alone', () => {
    expect(parseScope('Most recent script file (full)').kind).toBe('latest')
    expect(parseScope('#rules')).toEqual({ kind: 'slug', slug: 'rules', text: '#rules' })
    expect(parseScope('Goal, audience, format if not supplied in a brief').kind).toBe('other')
  })

  it('keeps the text on one line', () => {
    expect(parseScope(' "A"\n and  "B" ').text).toBe('"A" and "B"')
  })
})
