import { describe, expect, it } from 'vitest'
import { hasRequests, readAnswers, readRequests } from './__fixtures__/bfcl.js'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { toToolName } from './tool-names.js'

interface DamagedCalls {
  damagedCalls(...inputs: readonly unknown[]): Promise<readonly unknown[]>
  measureRepair(calls: readonly unknown[], registry: unknown): Promise<readonly unknown[]>
  repairFigures(results: readonly unknown[]): {
    readonly calls: number
    readonly repairable: number
    readonly repaired: number
    readonly guessed: number
  }
}

// The script is JavaScript, so that it also runs by hand over the built package.
const script = new URL('../scripts/damaged-calls.mjs', import.meta.url).href

describe.skipIf(!hasRequests)('200 damaged calls made from the leaderboard in ICM_SHARED', () => {
  it.each([1, 2, 3])(
    '95 of 100 that can be repaired are, none is guessed (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const { damagedCalls, measureRepair, repairFigures }: DamagedCalls = await import(
        /* @vite-ignore */ script
      )
      const registry = { createToolRegistry, defineTool, toToolName }
      const calls = await damagedCalls(readRequests(), readAnswers(), registry, seed)
      const { repairable, repaired, guessed, ...figures } = repairFigures(
        await measureRepair(calls, registry),
      )
      expect(figures.calls).toBe(200)
      expect(repairable).toBe(150)
      expect(repaired / repairable).toBeGreaterThanOrEqual(0.95)
      expect(guessed).toBe(0)
    },
  )
})
