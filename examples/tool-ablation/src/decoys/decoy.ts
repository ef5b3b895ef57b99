import { type AnyTool, defineTool } from '@icm/tool-registry'
import type { z } from 'zod'

interface Decoy<S extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly input: S
  readonly aliases?: { readonly [parameter: string]: readonly string[] }
  run(input: z.infer<S>): string
}

/** A tool that works and has nothing to do with documents; described like a real one. All are reads. */
export function decoy<S extends z.ZodObject>(tool: Decoy<S>): AnyTool {
  return defineTool({
    limit: 800,
    whenTrimmed: 'Ask for less at once.',
    idempotent: true,
    trust: 'sandbox',
    output: 'trusted',
    blastRadius: () => 0,
    ...tool,
    run: (input: unknown) => tool.run(input as z.infer<S>),
  }) as AnyTool
}
