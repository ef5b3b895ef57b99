import { expect, it } from 'vitest'
import { commandLineOptions, serverOptions, usage } from './command-line.js'

it('reads the library, relative to the folder it was started in, and allowed hosts', () => {
  expect(serverOptions({ backend: 'http' }, '/folder')).toEqual({ backend: 'http' })
  const values = { backend: 'http', library: 'docs', 'allow-host': ['localhost', '127.0.0.1:8080'] }
  expect(serverOptions(values, '/folder')).toEqual({
    backend: 'http',
    library: '/folder/docs',
    allowedHosts: ['localhost', '127.0.0.1:8080'],
  })
})

it('names every option in the help', () => {
  for (const option of [...Object.keys(commandLineOptions), 'help', 'version'])
    expect(usage).toContain(`  --${option} `)
})
