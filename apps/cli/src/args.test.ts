import { describe, expect, it } from 'vitest'
import { type CommandHelp, formatCommandHelp, parseCommand } from './args.js'

const help: CommandHelp = {
  name: 'redo',
  summary: 'runs a stage again',
  positionals: ['<stage>'],
  options: {
    fresh: { type: 'boolean', description: 'write every item anew' },
    model: { type: 'string', value: '<name>', description: 'the model' },
  },
  example: 'icm redo 04-draft',
}

describe('parseCommand', () => {
  it('reads positionals, flags and values', () => {
    expect(parseCommand(help, ['04', '--fresh', '--model', 'm:1b'])).toEqual({
      positionals: ['04'],
      flags: { fresh: true },
      values: { model: 'm:1b' },
    })
    expect(parseCommand(help, ['04', '--model=x']).values.model).toBe('x')
  })

  it.each([
    [['04', '--frehs'], /no option --frehs.*--fresh/s],
    [[], /<stage> is missing/],
    [['04', '05'], /"05" is one argument too many/],
    [['04', '--model'], /--model needs a value/],
  ])('%j is a usage error', (words, message) => {
    expect(() => parseCommand(help, words)).toThrow(message)
    expect(() => parseCommand(help, words)).toThrow(expect.objectContaining({ code: 'cli/usage' }))
  })
})

it('formatCommandHelp shows usage, options and an example', () => {
  expect(formatCommandHelp(help)).toBe(
    `icm redo – runs a stage again

Usage: icm redo <stage> [options]

Options:
  --fresh         write every item anew
  --model <name>  the model

Example: icm redo 04-draft
`,
  )
})
