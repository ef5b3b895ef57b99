import { describe, expect, it } from 'vitest'
import { findStage } from './find-stage.js'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'

const names = ['01-scope', '01b-scope-check', '02-research', '10-review']
const workspace = await openWorkspace('/w', {
  files: memoryFiles(Object.fromEntries(names.map((name) => [`/w/${name}/CONTEXT.md`, '# S']))),
})

describe('findStage', () => {
  it.each<[string | number, string]>([
    ['01-scope', '01-scope'],
    ['01-scope/', '01-scope'],
    [2, '02-research'],
    ['02', '02-research'],
    ['2', '02-research'],
    ['01b', '01b-scope-check'],
    [1, '01-scope'],
    ['02-r', '02-research'],
    ['research', '02-research'],
    ['Check', '01b-scope-check'],
  ])('%s is %s', (wanted, expected) => {
    expect(findStage(workspace, wanted).name).toBe(expected)
  })

  it('lists all stages and the nearest for a name that is none', () => {
    expect(() => findStage(workspace, 'reserch')).toThrow(
      'No stage is named "reserch". The stages of this workspace are: 01-scope, 01b-scope-check, 02-research, 10-review. Did you mean "02-research"?',
    )
    expect(() => findStage(workspace, 7)).toThrow('Give the name of one of them.')
    expect(() => findStage(workspace, '')).toThrow('No stage is named "".')
  })

  it('asks when a part fits several', () => {
    expect(() => findStage(workspace, 'scope')).toThrow(
      '"scope" names more than one stage: 01-scope, 01b-scope-check.',
    )
    expect(() => findStage(workspace, 're')).toThrow('more than one stage: 02-research, 10-review')
  })
})
