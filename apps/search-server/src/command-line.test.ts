import { expect, it } from 'vitest'
import { commandLineOptions, serverOptions, usage } from './command-line.js'

it('takes a relative library from the folder it was started in', () => {
  const values = { backend: 'folder', library: 'docs' }
  expect(serverOptions(values, '/folder')).toEqual({ backend: 'folder', library: '/folder/docs' })
  expect(serverOptions({ ...values, library: '/abs' }, '/folder')).toMatchObject({ library: '/abs' })
})

it('leaves it to createServer to refuse a command line without a library', () => {
  expect(serverOptions({ backend: 'folder' }, '/folder')).toEqual({ backend: 'folder', library: '' })
})

it('names every option in the help', () => {
  for (const option of [...Object.keys(commandLineOptions), 'help', 'version'])
    expect(usage).toContain(`  --${option} `)
})
