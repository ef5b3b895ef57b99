import { describe, expect, it } from 'vitest'
import { describeConsent, showUnseen } from './describe-consent.js'
import type { ConsentRequest } from './types.js'

const request: ConsentRequest = {
  callKey: '0123456789abcdef',
  consentKey: 'fedcba9876543210',
  toolName: 'run_command',
  arguments: { command: 'ls' },
  level: 'wide',
  objects: 12,
  irreversible: false,
  hasDryRun: true,
  dryRun: 'would list\n12 files',
  readBefore: ['example.test'],
  reason: 'it would change 12 objects, and from 10 on a person decides',
}

describe('describeConsent', () => {
  it('says everything, one fact a line', () => {
    expect(describeConsent(request)).toBe(
      [
        'Tool: run_command',
        'Would change: 12 objects (wide)',
        'Why you are asked: it would change 12 objects, and from 10 on a person decides',
        'Arguments:',
        '  command = "ls"',
        'Dry run:',
        '  would list',
        '  12 files',
        'Backup: none',
        'Foreign text read before: example.test',
      ].join('\n'),
    )
  })

  it('hides no tail behind a long beginning and empty lines, on a line of its own (D07)', () => {
    const command = `${'x'.repeat(200)}${'\n'.repeat(60)}rm -rf ~`
    const shown = describeConsent({ ...request, arguments: { command } })
    const line = shown.split('\n').find((text) => text.startsWith('  command = '))
    expect(line).toMatch(/^ {2}command = "x{200}(\\n){60}rm -rf ~"$/)
  })

  it.each([
    ['an escape sequence', '\u001b[2J'],
    ['a bidi override', 'a\u202eb'],
    ['a zero-width space', 'a\u200bb'],
    ['a tag character', 'a\u{e0041}b'],
    ['a line separator', 'a\u2028b'],
    ['a carriage return', 'a\rb'],
    ['a filler', 'a\u3164b'],
  ])('shows what is hidden, in values, names and the dry run: %s', (_, hidden) => {
    const shown = describeConsent({ ...request, arguments: { [hidden]: hidden }, dryRun: hidden })
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164]/u)
    expect(showUnseen('plain ä 👋🏽 text\n')).toBe('plain ä 👋🏽 text\n')
  })
})
