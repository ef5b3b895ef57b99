import { expect, it } from 'vitest'
import { findWorkspaceRoot } from './find-workspace-root.js'
import { memoryFiles } from './memory-files.js'

const files = memoryFiles({
  '/repo/course/pipeline/01-a/CONTEXT.md': 'x',
  '/repo/course/pipeline/01-a/output/x.md': 'x',
  '/repo/app/workspace/01-a/CONTEXT.md': 'x',
  '/repo/app/src/main.ts': 'x',
  '/other/a.md': 'x',
})

it.each([
  ['/repo/course', '/repo/course'],
  ['/repo/course/pipeline', '/repo/course'],
  ['/repo/course/pipeline/01-a/output', '/repo/course'],
  ['/repo/app', '/repo/app/workspace'],
  ['/repo/app/workspace/01-a', '/repo/app/workspace'],
  ['/repo/app/src', undefined],
  ['/other', undefined],
  ['/nowhere', undefined],
])('from %s it is %s', async (start, expected) => {
  expect(await findWorkspaceRoot(start, { files })).toBe(expected)
})
