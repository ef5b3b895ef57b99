import { expect, it } from 'vitest'
import { parseArguments, usage } from './parse-arguments.js'

it('reads the library, relative to the folder it was started in, and allowed hosts', () => {
  expect(parseArguments([], '/folder')).toEqual({ kind: 'serve', options: { backend: 'http' } })
  const argv = ['--library', 'docs', '--allow-host', 'localhost', '--allow-host=127.0.0.1:8080']
  expect(parseArguments(argv, '/folder')).toEqual({
    kind: 'serve',
    options: { backend: 'http', library: '/folder/docs', allowedHosts: ['localhost', '127.0.0.1:8080'] },
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
  [['--allow-hosts', 'x'], /Did you mean --allow-host\?/],
  [['folder'], /folder/],
])('refuses %j', (argv, text) => {
  expect(() => parseArguments(argv, '/')).toThrow(
    expect.objectContaining({ code: 'browser/bad-option', message: expect.stringMatching(text) }),
  )
})

it('names every option in the help', () => {
  for (const option of ['--library', '--allow-host', '--backend', '--help', '--version'])
    expect(usage).toContain(option)
})
