import { expect, it } from 'vitest'
import { withSeenAddresses } from './seen-addresses.js'
import type { StageTools } from './types.js'

function tools(answers: {
  readonly [url: string]: { readonly status: 'ok' | 'error'; readonly text: string }
}): StageTools {
  return {
    specs: () => [],
    addressParameters: (name) => (name === 'fetch' ? ['url'] : []),
    run: async (call) => ({
      callKey: '',
      ...(answers[(call.arguments as { url: string }).url] ?? { status: 'error', text: 'Not found.' }),
    }),
  }
}

const call = (url: string, name = 'fetch') => ({ id: '1', name, arguments: { url } })

it('answers a failed fetch with the addresses that were really shown, the nearest first', async () => {
  const seen = withSeenAddresses(
    tools({ 'file:///library/a.md': { status: 'ok', text: 'see file:///library/tools.md' } }),
    ['start at file:///library/a.md.'],
  )
  await seen.run(call('file:///library/a.md'), {})
  const answer = await seen.run(call('file:///library/tool.md'), {})
  expect(answer.text).toBe(
    'Not found.\nAddresses shown so far (copy one exactly):\n- file:///library/tools.md\n- file:///library/a.md',
  )
})

it('says to search first when nothing was shown, and leaves other tools and successes alone', async () => {
  const seen = withSeenAddresses(tools({ ok: { status: 'ok', text: 'fine' } }), [])
  expect((await seen.run(call('https://x.test'), {})).text).toContain('search first')
  expect((await seen.run(call('https://x.test', 'other'), {})).text).toBe('Not found.')
  expect((await seen.run(call('ok'), {})).text).toBe('fine')
})
