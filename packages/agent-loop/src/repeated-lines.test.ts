import { expect, it } from 'vitest'
import { createRepetitionWatch } from './repeated-lines.js'

const line = '- the same long line with words'

it.each([
  [`# Notes\n${line}\n${line}\n\n${line}\n`, `# Notes\n${line}`],
  [
    '1. the first of two lines\n2. the second\n3. the first of two lines\n4. the second\n5. the first of two lines\n6. the second\n',
    '1. the first of two lines\n2. the second',
  ],
  [`${line}\n${line}\n`, undefined],
  [`${line}\n${line}\n${line}`, undefined],
  ['---\n---\n---\n---\n', undefined],
  ['| a | b |\n| a | b |\n| a | b |\n', undefined],
  [`${line} 1\n${line} 2\n${line} 3\n`, undefined],
  ['\n', undefined],
])('%j becomes %j, whatever the borders of the pieces cut through', (text, expected) => {
  for (const size of [1, 7, 1_000]) {
    const watch = createRepetitionWatch()
    let kept: number | undefined
    for (let at = 0; at < text.length && kept === undefined; at += size)
      kept = watch(text.slice(at, at + size))
    expect(kept === undefined ? undefined : text.slice(0, kept)).toBe(expected)
  }
})
