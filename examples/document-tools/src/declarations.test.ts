import { expect, it } from 'vitest'
import { openDocumentTools } from './open-document-tools.js'

const tools = openDocumentTools({ root: '/nowhere' })

it('there are five', () => {
  expect(tools.map(({ name }) => name)).toEqual([
    'read_document',
    'find_documents',
    'rename_documents',
    'run_program',
    'recall_result',
  ])
})

it.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s declares all that a registry asks about',
  (_, tool) => {
    expect(tool).toMatchObject({
      limit: expect.any(Number),
      aliases: expect.any(Object),
      idempotent: expect.any(Boolean),
      trust: expect.stringMatching(/host|sandbox/),
      output: 'untrusted',
      timeoutMs: expect.any(Number),
      blastRadius: expect.any(Function),
      dryRun: expect.any(Function),
      backup: expect.any(Function),
    })
    expect(tool.nextCall ?? tool.whenTrimmed).toBeDefined()
    expect(tool.description).toMatch(/[Rr]eturns.*Example: \{.*Rejected: /s)
    const others = tools.filter(({ name }) => name !== tool.name).map(({ name }) => name)
    if (tool.name !== 'recall_result')
      expect(others.some((name) => tool.description.includes(name))).toBe(true)
  },
)
