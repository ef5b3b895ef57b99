import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadStage } from './load-stage.js'
import { openWorkspace } from './open-workspace.js'
import { resolveOutputs } from './resolve-outputs.js'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const shared = process.env.ICM_SHARED ?? `${repository}../shared`
const corpus = `${shared}/data/icm-corpus`

describe('examples/course-research', () => {
  it('opens with four stages, and the first one is ready', async () => {
    const workspace = await openWorkspace(`${repository}examples/course-research`)
    expect(workspace.problems).toEqual([])
    expect(workspace.stages.map((stage) => stage.name)).toEqual([
      '01-scope',
      '02-research',
      '03-outline',
      '04-draft',
    ])
    const scope = await loadStage(workspace, 'scope')
    expect(scope.problems).toEqual([])
    expect(scope.parts.map((part) => [part.layer, part.label])).toEqual([
      [0, 'CLAUDE.md'],
      [1, 'CONTEXT.md'],
      [2, 'pipeline/01-scope/CONTEXT.md'],
      [4, 'input.md'],
      [3, '../../_config/audience.md'],
    ])
    for (const stage of workspace.stages) {
      const context = await loadStage(workspace, stage.name)
      expect(context.problems.filter((problem) => problem.code !== 'context/missing-input')).toEqual([])
      const { outputs, problems } = await resolveOutputs(workspace, stage, context.contract)
      expect([outputs.length, problems]).toEqual([1, []])
    }
    const draft = await loadStage(workspace, '04-draft')
    expect(draft.contract.forEach).toMatchObject({ item: 'module', path: '../03-outline/output/outline.md' })
  })
})

describe('workspaces in the wild', () => {
  it.skipIf(!existsSync(corpus))('opens and loads every workspace of the corpus in ICM_SHARED', async () => {
    const contracts = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\/\d[^/]*\/CONTEXT\.md$/.test(name),
    )
    const roots = [...new Set(contracts.map((name) => dirname(dirname(dirname(name)))))]
    expect(roots.length).toBeGreaterThan(10)
    let inputs = 0
    let missing = 0
    for (const root of roots) {
      const top = `${corpus}/${root.split('/')[0]}`
      const workspace = await openWorkspace(`${corpus}/${root}`, { allowedRoot: top })
      for (const stage of workspace.stages) {
        const context = await loadStage(workspace, stage.name)
        inputs += context.contract.inputs.filter((input) => input.kind === 'file').length
        missing += context.problems.filter((problem) => problem.code === 'context/missing-input').length
        expect(context.user, stage.contractPath).not.toBe('')
      }
    }
    // Outputs of runs are not in the corpus; everything else mostly is.
    expect(inputs).toBeGreaterThan(300)
    expect(missing).toBeLessThan(inputs / 2)
  })
})
