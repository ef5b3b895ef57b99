import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openWorkspace, type Workspace } from '@icm/context-loader'
import { afterEach } from 'vitest'
import type { PipelineEvent } from '../types.js'

const scope = `# Stage: 01-scope

## Inputs
- Layer 4 (working): input.md
- Layer 3 (reference): ../../_config/voice.md

## Tools
none

## Process
Write goals.

## Outputs
- goals.md -> output/
`

const outline = `# Stage: 02-outline

## Inputs
- Layer 4 (working): ../01-scope/output/goals.md

## Process
Write an outline.

## Outputs
- outline.md -> output/
`

const draft = `# Stage: 03-draft

## Inputs
- Layer 3 (reference): ../../_config/voice.md

## For each
module in ../02-outline/output/outline.md

## Process
Write one module.

## Outputs
- draft.md -> output/
`

const files: { readonly [path: string]: string } = {
  'CLAUDE.md': 'You are in a workspace.',
  'CONTEXT.md': 'Stages: scope, outline, draft.',
  '_config/voice.md': 'Short sentences.',
  'pipeline/01-scope/CONTEXT.md': scope,
  'pipeline/01-scope/input.md': 'An idea.',
  'pipeline/02-outline/CONTEXT.md': outline,
  'pipeline/03-draft/CONTEXT.md': draft,
}

export const threeModules = '## Module 1: Tea\n- pick\n\n## Module 2: Milk\n- pour\n\n## Module 3: Cups\n- wash'

export interface TestWorkspace {
  readonly root: string
  open(): Promise<Workspace>
  write(path: string, text: string): void
  read(path: string): string
  remove(path: string): void
}

const made: string[] = []

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true })
})

/** A three-stage workspace on the disk, with more or other files; removed after the test. */
export function testWorkspace(more: { readonly [path: string]: string } = {}): TestWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'icm-pipeline-')))
  made.push(root)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries({ ...files, ...more })) write(path, text)
  return {
    root,
    open: () => openWorkspace(root),
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
  }
}

/** Names of events without the agent's, with the item where there is one. */
export function typesOf(events: readonly PipelineEvent[]): readonly string[] {
  return events
    .filter((event) => event.type !== 'agent')
    .map((event) => (event.item === undefined ? event.type : `${event.type} ${event.item}`))
}
