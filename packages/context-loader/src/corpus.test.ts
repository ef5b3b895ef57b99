import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { corpus, corpusNames, corpusRepository } from './__fixtures__/corpus.js'
import { unmetPaths } from './__fixtures__/unmet-paths.js'
import { checkWorkspace } from './check/check-workspace.js'
import { openWorkspace } from './open-workspace.js'

it.skipIf(!existsSync(corpus))(
  'the paths of the corpus in ICM_SHARED exist or are pending, all but those of our table',
  async () => {
    const contracts = new Set(
      Object.keys(JSON.parse(readFileSync(`${corpus}/reference-reading.json`, 'utf8'))),
    )
    const counts = { paths: 0, met: 0, inReference: 0, metInReference: 0 }
    const unmet: unknown[] = []
    for (const name of corpusNames()) {
      const { files, workspaces } = corpusRepository(name)
      for (const root of workspaces) {
        const workspace = await openWorkspace(root, { files, allowedRoot: '/repo' })
        const check = await checkWorkspace(workspace)
        for (const { stage, inputs } of check.stages) {
          const listed = contracts.has(`${name}/${posix.relative('/repo', stage.contractPath)}`)
          for (const { input, status, nearest } of inputs) {
            if (input.path === undefined) continue
            const met = status === 'found' || status === 'pending'
            counts.paths++
            if (met) counts.met++
            if (listed) counts.inReference++
            if (listed && met) counts.metInReference++
            if (met) continue
            const place = { workspace: posix.relative('/repo', root) || '.', stage: stage.name }
            unmet.push({ ...place, path: input.path, status, ...(nearest ? { nearest } : {}) })
          }
        }
        // Every error of the check stands for one of the paths in the table.
        const errors = check.problems.filter((problem) => problem.severity === 'error')
        for (const error of errors) expect(error.code, error.what).toBe('context/missing-input')
      }
    }
    expect(unmet).toEqual(unmetPaths.map(({ why: _, ...path }) => path))
    expect(counts.met).toBe(counts.paths - unmetPaths.length)
    expect(counts.metInReference).toBeGreaterThanOrEqual(305)
    expect(counts.inReference).toBeGreaterThanOrEqual(310)
  },
)
