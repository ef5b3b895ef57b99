import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapeObservation } from './shape-observation.js'

// Text with everything that a cut can break: lines, surrogate pairs, joined emoji, flags, combining marks, CRLF.
const pieces = fc.constantFrom(
  'a',
  'word ',
  '\n',
  '\r\n',
  '🦊',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  'e\u0301',
  'क्षि',
  '0',
  '—',
  '\ud800',
)
const texts = fc.array(pieces, { maxLength: 400 }).map((parts) => parts.join(''))
// A text and a limit that it does not keep.
const tooLong = fc
  .array(pieces, { minLength: 100, maxLength: 400, size: 'max' })
  .map((parts) => parts.join(''))
  .chain((input) =>
    fc.record({ input: fc.constant(input), limit: fc.integer({ min: 60, max: input.length - 1 }) }),
  )
const limits = fc.integer({ min: 0, max: 600 })
const hints = fc.option(fc.constant('For more call read_file(from=21).'), { nil: undefined })

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const boundariesOf = (text: string) =>
  new Set([...graphemes.segment(text)].map(({ index }) => index).concat(text.length))

/** Where the kept head ends and the kept tail starts, found by the notice; undefined when the notice has no number. */
function parts(text: string) {
  const match = /(\n\[… (\d+) characters removed[^\n]*…\]\n|\[…(\d+)…\])/u.exec(text)
  if (match === null) return undefined
  const head = text.slice(0, match.index)
  const tail = text.slice(match.index + match[0].length)
  return { head, tail, count: Number(match[2] ?? match[3]) }
}

describe('shapeObservation (properties)', () => {
  it('never exceeds the limit and is always well-formed', () => {
    fc.assert(
      fc.property(texts, limits, hints, (text, limit, whenTrimmed) => {
        const shaped = shapeObservation(text, { limit, ...(whenTrimmed && { whenTrimmed }) })
        expect(shaped.text.length).toBeLessThanOrEqual(limit)
        expect(shaped.text.isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('returns a text within the limit unchanged, except for lone surrogates', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(shapeObservation(text, { limit: text.length })).toEqual({
          text: text.toWellFormed(),
          trimmedCharacters: 0,
        })
      }),
    )
  })

  it('keeps the true beginning and end, splits no grapheme and counts exactly what is gone', () => {
    fc.assert(
      fc.property(tooLong, hints, ({ input, limit }, whenTrimmed) => {
        const text = input.toWellFormed()
        const shaped = shapeObservation(input, { limit, ...(whenTrimmed && { whenTrimmed }) })
        const found = parts(shaped.text)
        expect(found).toBeDefined()
        if (found === undefined) return
        const { head, tail, count } = found
        expect(text.startsWith(head)).toBe(true)
        expect(text.endsWith(tail)).toBe(true)
        expect(head.length).toBeGreaterThan(0)
        expect(tail.length).toBeGreaterThan(0)
        expect(count).toBe(text.length - head.length - tail.length)
        expect(shaped.trimmedCharacters).toBe(count)
        const boundaries = boundariesOf(text)
        expect(boundaries.has(head.length)).toBe(true)
        expect(boundaries.has(text.length - tail.length)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('shapeObservation', () => {
  it('cuts the case of the field report C04 without a lone surrogate', () => {
    const shaped = shapeObservation(`${'a'.repeat(9)}🦊${'b'.repeat(20)}`, { limit: 10 })
    expect(shaped).toEqual({ text: 'aaaaaa…bbb', trimmedCharacters: 22 })
  })

  it('keeps markers at both ends of a large text and says how to get the rest', () => {
    const text = `START\n${'line of a log\n'.repeat(20_000)}END`
    const shaped = shapeObservation(text, { limit: 1_000, whenTrimmed: 'For more call read_log(from=40).' })
    expect(shaped.text.startsWith('START\n')).toBe(true)
    expect(shaped.text.endsWith('\nEND')).toBe(true)
    expect(shaped.text).toContain(
      `[… ${shaped.trimmedCharacters} characters removed here. For more call read_log(from=40). …]`,
    )
    expect(shaped.text.length).toBeGreaterThan(900)
  })

  it('cuts at line ends where they are near', () => {
    const text = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n')
    const { text: shaped } = shapeObservation(text, { limit: 400 })
    const lines = shaped.split('\n').filter((line) => !line.startsWith('[…') && line !== '')
    expect(lines.every((line) => /^line \d+$/.test(line))).toBe(true)
    expect(lines.at(-1)).toBe('line 199')
  })

  it('gives room up rather than split a grapheme that is longer than the limit', () => {
    const monster = `e${'\u0301'.repeat(500)}`
    const shaped = shapeObservation(`${monster}tail`, { limit: 100 })
    expect(shaped.text.length).toBeLessThanOrEqual(100)
    expect(shaped.text).toMatch(/^\n\[… \d+ characters removed here\. …\]\ntail$/)
  })
})
