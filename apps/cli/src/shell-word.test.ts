import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellCommand, shellWord } from './shell-word.js'

it.each([
  ['my-course', 'my-course'],
  ['/home/zoë/kurs', '/home/zoë/kurs'],
  ['qwen2.5-coder:1.5b', 'qwen2.5-coder:1.5b'],
  ['my course', "'my course'"],
  ["it's", "'it'\\''s'"],
  ['$(reboot)', "'$(reboot)'"],
  ['', "''"],
  ['two\nlines', "$'two\\nlines'"],
])('%j is written as %s', (word, written) => {
  expect(shellWord(word)).toBe(written)
})

it.skipIf(spawnSync('bash', ['-c', '']).status !== 0)('is read back by a shell as it was (bash)', () => {
  const words = [
    'a b',
    "'",
    '"$HOME"',
    '`id`',
    '!x',
    'a\nb',
    "\u001b[2K'\\",
    '\u202eevil',
    'ł\tż',
    '*',
    '~',
    '#',
    '-',
  ]
  const command = shellCommand(words)
  for (const hidden of ['\n', '\t', '\u001b', '\u202e']) expect(command).not.toContain(hidden)
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  expect(stdout.split('\0').slice(0, -1)).toEqual(words)
})
