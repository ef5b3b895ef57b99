import { expect, it } from 'vitest'
import { parseArguments, usage } from './parse-arguments.js'

it('reads the library, relative to the folder it was started in', () => {
  expect(parseArguments(['--library', 'docs'], '/folder')).toEqual({
    kind: 'serve',
    options: { backend: 'folder', library: '/folder/docs' },
  })
  expect(parseArguments(['--library=/abs', '--backend', 'folder'], '/x')).toMatchObject({
    options: { library: '/abs' },
  })
})

it('knows help and version', () => {
  expect(parseArguments(['--help'], '/')).toEqual({ kind: 'help' })
  expect(parseArguments(['--version'], '/')).toEqual({ kind: 'version' })
})

it.each([
  [['--libary', 'x'], /'--libary'.*Did you mean --library\?/],
  [['--port', '8080'], /'--port'.*--help/],
  [['--library'], /--library/],
  [['folder'], /folder/],
])('refuses %j', (argv, text) => {
  expect(() => parseArguments(argv, '/')).toThrow(
    expect.objectContaining({ code: 'search/bad-option', message: expect.stringMatching(text) }),
  )
})

it('names every option in the help', () => {
  for (const option of ['--library', '--backend', '--help', '--version']) expect(usage).toContain(option)
})
