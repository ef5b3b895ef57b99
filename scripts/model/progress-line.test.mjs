import { expect, it } from 'vitest'
import { formatBytes } from './format-bytes.mjs'
import { createProgressLine, describeProgress } from './progress-line.mjs'

/**
 * @param {boolean} terminal
 * @param {{ columns?: number, env?: NodeJS.ProcessEnv }} [options]
 */
function screen(terminal, { columns = 60, env = {} } = {}) {
  let text = ''
  let time = 0
  const output = /** @type {NodeJS.WritableStream & { isTTY: boolean, columns: number }} */ (
    /** @type {unknown} */ ({
      isTTY: terminal,
      columns,
      write: (/** @type {string} */ more) => {
        text += more
        return true
      },
    })
  )
  const line = createProgressLine('download', { output, now: () => time, env })
  return {
    text: () => text,
    line,
    /** @param {number} ms */
    wait(ms) {
      time += ms
    },
  }
}

it('rewrites one line on a terminal, cut to its width', () => {
  const { line, text, wait } = screen(true)
  line.update(0, 1_117_320_768)
  for (let step = 1; step <= 20; step++) {
    wait(100)
    line.update(step * 1_000_000, 1_117_320_768)
  }
  line.end()
  const shown = text().split('\r\u001b[K').slice(1)
  expect(shown.length).toBe(11)
  expect(shown.at(-1)).toBe('download:   1 % of 1.12 GB, 10.0 MB/s, 1 min 50 s left\n')
  expect(shown.every((piece) => piece.trimEnd().length < 60)).toBe(true)
})

it('is cut to a very narrow terminal, takes a width of 0 for unknown, and rewrites nothing on a dumb one', () => {
  const narrow = screen(true, { columns: 10 })
  narrow.line.update(0, 1000)
  expect(narrow.text()).toBe('\r\u001b[Kdownload:')
  const unknown = screen(true, { columns: 0 })
  unknown.line.update(0, 1000)
  expect(unknown.text()).toBe('\r\u001b[Kdownload:   0 % of 1.00 kB')
  const dumb = screen(true, { env: { TERM: 'dumb' } })
  dumb.line.update(0, 1000)
  expect(dumb.text()).toBe('download:   0 % of 1.00 kB\n')
})

it('writes a line every five seconds elsewhere, and one at the end', () => {
  const { line, text, wait } = screen(false)
  for (let second = 0; second <= 12; second++) {
    line.update(second * 1_000_000, 12_000_000)
    wait(1000)
  }
  line.end()
  expect(text().trimEnd().split('\n')).toEqual([
    'download:   0 % of 12.0 MB',
    'download:  41 % of 12.0 MB, 1.00 MB/s, 7 s left',
    'download:  83 % of 12.0 MB, 1.00 MB/s, 2 s left',
    'download: 100 % of 12.0 MB, 1.00 MB/s, 0 s left',
  ])
})

it('does not count what an earlier attempt left as speed of this one', () => {
  const { line, text, wait } = screen(false)
  line.update(500_000_000, 600_000_000)
  wait(5000)
  line.update(505_000_000, 600_000_000)
  expect(text()).toContain('1.00 MB/s, 1 min 35 s left')
})

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.50 kB'],
  [491_400_064, '491 MB'],
  [999_999, '1.00 MB'],
  [1_117_320_768, '1.12 GB'],
])('%i bytes are %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected)
})

it('says hours where it takes that long', () => {
  expect(describeProgress(1, 1_000_000_000, 100_000)).toContain('2 h 46 min left')
})
