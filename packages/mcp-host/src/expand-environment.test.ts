// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are what is tested.
import { expect, it } from 'vitest'
import { expandEnvironment } from './expand-environment.js'

it('replaces variables and leaves everything else', () => {
  const configured = {
    KEY: 'Bearer ${TOKEN}',
    BOTH: '${A}-${B}',
    PLAIN: '$TOKEN {TOKEN} $$',
    EMPTY: '${NOTHING}',
  }
  const available = { TOKEN: 'a$&b', A: '1', B: '2', NOTHING: '' }
  expect(expandEnvironment('notes', configured, available)).toEqual({
    KEY: 'Bearer a$&b',
    BOTH: '1-2',
    PLAIN: '$TOKEN {TOKEN} $$',
    EMPTY: '',
  })
})

it('names the variable that is missing, and no value', () => {
  expect(() => expandEnvironment('notes', { KEY: '${TOKN}' }, { TOKEN: 's3cret' })).toThrow(
    'MCP server "notes" was not started: its variable KEY needs ${TOKN}, which is not set.',
  )
  expect(() => expandEnvironment('notes', { KEY: '${TOKN}' }, { TOKEN: 's3cret' })).not.toThrow('s3cret')
})
