import { describe, expect, it } from 'vitest'
import { hasRequests, readAnswers, readRequests } from './__fixtures__/bfcl.js'
import { indexTools } from './rank-tools.js'

interface Recall {
  measureRecall(
    ...inputs: readonly unknown[]
  ): Readonly<Record<'requests' | 'names' | 'at1' | 'at5' | 'at10', number>>
}

// The script is JavaScript, so that it also runs by hand over the built package.
const script = new URL('../scripts/find-tools-recall.mjs', import.meta.url).href

describe.skipIf(!hasRequests)('find_tools over the leaderboard in ICM_SHARED', () => {
  it('finds the function that a request needs: first in 72 of 100, among five in 92 of 100', async () => {
    const { measureRecall }: Recall = await import(/* @vite-ignore */ script)
    const { requests, names, at1, at5 } = measureRecall(readRequests(), readAnswers(), indexTools)
    expect({ requests, names }).toEqual({ requests: 1_053, names: 457 })
    expect(at1).toBeGreaterThanOrEqual(0.72)
    expect(at5).toBeGreaterThanOrEqual(0.92)
  })
})
