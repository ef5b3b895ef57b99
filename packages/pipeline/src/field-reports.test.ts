import { describe, expect, it } from 'vitest'
import { run, states } from './__fixtures__/run-scripted.js'
import { testWorkspace, typesOf } from './__fixtures__/test-workspace.js'
import { cleanOutput } from './clean-output.js'

const outline = (parts: readonly string[]) => ({
  'pipeline/01-scope/output/goals.md': '1. Goal',
  'pipeline/02-outline/output/outline.md': parts.join('\n\n'),
})
const drafts = (headings: readonly string[]) => headings.map((heading) => `## ${heading}\n\nText.`)

describe('failures that were reported from the field', () => {
  it('E02: items with equal headings do not share a place; only the one that was edited is written again', async () => {
    const headings = ['A', 'A', 'A 2']
    const parts = headings.map((heading, index) => `## ${heading}\n- point ${index + 1}`)
    const place = testWorkspace(outline(parts))
    await run(place, drafts(headings))
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts(headings).join('\n\n')}\n`)
    const edited = [parts[0] ?? '', '## A\n- another point', parts[2] ?? '']
    place.write('pipeline/02-outline/output/outline.md', edited.join('\n\n'))
    const redo = { stage: '03-draft', redo: 'reuse-items' } as const
    const { events } = await run(place, ['## A\n\nOther text.'], redo)
    expect(typesOf(events).filter((type) => type.startsWith('item-'))).toEqual([
      'item-reused 1',
      'item-start 2',
      'item-end 2',
      'item-reused 3',
    ])
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(
      '## A\n\nText.\n\n## A\n\nOther text.\n\n## A 2\n\nText.\n',
    )
  })

  it('E03: after a crash in the eighth of ten items the next run begins with the eighth', async () => {
    const headings = Array.from({ length: 10 }, (_, index) => `Module ${index + 1}`)
    const place = testWorkspace(outline(headings.map((heading) => `## ${heading}\n- a point`)))
    const crash = () => {
      throw new Error('the process died')
    }
    await expect(run(place, [...drafts(headings.slice(0, 7)), crash])).rejects.toThrow('the process died')
    expect(await states(place)).toEqual(['done', 'done', 'partial'])
    // Every scripted answer must be used: a request about one of the first seven would be one too many.
    const { events, model } = await run(place, drafts(headings.slice(7)))
    expect(model.requests).toHaveLength(3)
    expect(typesOf(events).filter((type) => type.startsWith('item-re'))).toHaveLength(7)
    expect(typesOf(events).find((type) => type.startsWith('item-start'))).toBe('item-start 8')
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts(headings).join('\n\n')}\n`)
  })

  it('E07: nothing but a fence around the whole is taken off an answer', () => {
    const draft = 'Use C# and F#:\n\n- one\n\nNote: keys expire.'
    expect(cleanOutput(draft)).toBe(draft)
    expect(cleanOutput(`\`\`\`markdown\n${draft}\n\`\`\``)).toBe(draft)
  })
})
