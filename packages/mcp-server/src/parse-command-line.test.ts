import { expect, expectTypeOf, it } from 'vitest'
import { parseCommandLine } from './parse-command-line.js'

const program = {
  name: 'notes-server',
  options: {
    backend: { type: 'string', default: 'folder' },
    library: { type: 'string' },
    'allow-host': { type: 'string', multiple: true },
  },
} as const

it('reads values, fills in defaults and types both', () => {
  const argv = ['--library', 'docs', '--allow-host', 'localhost', '--allow-host=127.0.0.1:8080']
  const command = parseCommandLine(argv, program)
  expect(command).toEqual({
    kind: 'serve',
    values: { backend: 'folder', library: 'docs', 'allow-host': ['localhost', '127.0.0.1:8080'] },
  })
  if (command.kind === 'serve') {
    expectTypeOf(command.values.backend).toEqualTypeOf<string>()
    expectTypeOf(command.values.library).toEqualTypeOf<string | undefined>()
  }
  expect(parseCommandLine([], program)).toEqual({ kind: 'serve', values: { backend: 'folder' } })
})

it('knows help and version, help first', () => {
  expect(parseCommandLine(['--version', '--help'], program)).toEqual({ kind: 'help' })
  expect(parseCommandLine(['--library=x', '--version'], program)).toEqual({ kind: 'version' })
})

it.each([
  [['--libary', 'x'], /^notes-server was not started: .*'--libary'.*Did you mean --library\?/],
  [['--library', 'x', '--allow-hosts=y'], /Did you mean --allow-host\?/],
  [['--versio'], /Did you mean --version\?/],
  [['--port', '8080'], /'--port'.*Run it with --help/],
  [['--library'], /--library/],
  [['folder'], /folder/],
])('refuses %j', (argv, text) => {
  expect(() => parseCommandLine(argv, program)).toThrow(
    expect.objectContaining({ code: 'mcp-server/bad-command-line', message: expect.stringMatching(text) }),
  )
})
