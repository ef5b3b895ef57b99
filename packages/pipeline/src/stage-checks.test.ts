import { describe, expect, it } from 'vitest'
import { run } from './__fixtures__/run-scripted.js'
import { testWorkspace } from './__fixtures__/test-workspace.js'

describe('what keeps a stage from starting', () => {
  it('a missing input: which, where it was looked for, who should make it', async () => {
    const place = testWorkspace()
    const failure = run(place, [], { stage: '02-outline' })
    await expect(failure).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringMatching(/goals\.md.*01-scope/s),
    })
  })

  it('a context larger than the window: what it needs and what is largest', async () => {
    const place = testWorkspace({ 'pipeline/01-scope/input.md': 'many words '.repeat(6_000) })
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/context-too-large',
      instead: expect.stringContaining('input.md'),
    })
  })

  it('tools whose schemas alone fill the window: they are named as the large part', async () => {
    const place = testWorkspace({
      'pipeline/01-scope/CONTEXT.md':
        '# Stage: 01-scope\n\n## Tools\nweb: *\n\n## Process\nWrite.\n\n## Outputs\n- goals.md -> output/\n',
    })
    const specs = Array.from({ length: 500 }, (_, index) => ({
      name: `web_tool_${index}`,
      description: 'Does one of many things that all sound alike.',
      inputSchema: { type: 'object' },
    }))
    const tools = { specs: () => specs, run: async () => ({ status: 'ok' as const, text: '', callKey: '' }) }
    await expect(run(place, [], { openTools: async () => tools })).rejects.toMatchObject({
      code: 'pipeline/context-too-large',
      instead: expect.stringMatching(/largest: the schemas of 500 tools \d{4,}/),
    })
  })

  it('tools that nobody provided are not dropped', async () => {
    const place = testWorkspace({
      'pipeline/01-scope/CONTEXT.md':
        '# Stage: 01-scope\n\n## Tools\nweb: search\n\n## Process\nWrite.\n\n## Outputs\n- goals.md -> output/\n',
    })
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/no-tools-available' })
  })
})
