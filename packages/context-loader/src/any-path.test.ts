import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkWorkspace } from './check/check-workspace.js'
import { estimateTokens } from './estimate-tokens.js'
import { loadStage } from './load-stage.js'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'

const segment = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '~',
    'x',
    'secret.md',
    'outside',
    'w',
    '01-a',
    '*',
    '[slug]',
    '*.md',
    'C:',
    '\\',
    '\0',
    'a#b',
    ' ',
  ),
  fc.string({ maxLength: 6 }),
)
const path = fc
  .tuple(
    fc.constantFrom('', '/', './', '../', '//', '~/', '\\'),
    fc.array(segment, { maxLength: 9 }),
    fc.constantFrom('', '/', '.md', '#x'),
  )
  .map(([start, segments, end]) => start + segments.join('/') + end)

const secret = 'SECRET: it lies outside'

async function check(path: string) {
  const entry = path.replace(/[\r\n`]/g, '')
  const files = memoryFiles({
    '/secret.md': secret,
    '/outside/secret.md': secret,
    '/x/secret.md': secret,
    '/repo/.git/HEAD': 'x',
    '/repo/w/x/inside.md': 'inside',
    '/repo/w/01-a/CONTEXT.md': `# S\n\n## Inputs\n- \`${entry}\`\n- ${entry}\n\n## For each\npart in \`${entry}\`\n\n## Process\ngo\n\n## Outputs\n- \`${entry}\`\n`,
  })
  const workspace = await openWorkspace('/repo/w', { files })
  const [context, whole] = [await loadStage(workspace, 1), await checkWorkspace(workspace)]
  return { context, whole }
}

describe('any path at all', () => {
  it('is answered without a throw, leads to no file outside, and twice to the same', async () => {
    await fc.assert(
      fc.asyncProperty(path, async (one) => {
        const [first, second] = [await check(one), await check(one)]
        const text = JSON.stringify(first)
        expect(text).not.toContain('SECRET')
        expect(JSON.stringify(second)).toBe(text)
        for (const place of first.whole.stages.flatMap((stage) => stage.outputs))
          expect(place).not.toMatch(/^\.\.(?:\/|$)/)
      }),
      { numRuns: 400 },
    )
  })
})

describe('the estimate of any text', () => {
  it('is a whole number of at least 1, and grows with what is added', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string(), (text, more) => {
        const tokens = estimateTokens(text)
        expect(Number.isInteger(tokens)).toBe(true)
        expect(tokens).toBeGreaterThanOrEqual(1)
        expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(tokens)
      }),
    )
  })
})
