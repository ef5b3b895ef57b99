import { z } from 'zod'
import type { ToolDescription } from './list-tools.js'

const hints = z.object({
  readOnlyHint: z.boolean().optional().catch(undefined),
  idempotentHint: z.boolean().optional().catch(undefined),
  destructiveHint: z.boolean().optional().catch(undefined),
})

// Each field is read by itself: a value that cannot be right is as good as undeclared.
const whole = z.number().int().positive().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const metaSchema = z.object({
  effect: z.enum(['read', 'write']).optional().catch(undefined),
  radius: z.number().int().nonnegative().optional().catch(undefined),
  limit: whole,
  whenTrimmed: z.string().max(200).optional().catch(undefined),
  idempotent: flag,
  repeatable: flag,
  irreversible: flag,
  trust: z.enum(['host', 'sandbox']).optional().catch(undefined),
  output: z.enum(['trusted', 'untrusted']).optional().catch(undefined),
  timeoutMs: whole,
  maxDurationMs: whole,
  addressParameters: z.array(z.string()).optional().catch(undefined),
  aliases: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
})

/** What a trusted server declares about a tool; absent is undeclared. */
export type ToolMeta = {
  readonly [Key in keyof z.infer<typeof metaSchema>]?: NonNullable<z.infer<typeof metaSchema>[Key]>
}

/** Reads `_meta['icm/tool']`, and MCP's own hints where that says nothing. For trusted servers only. */
export function readToolMeta(description: ToolDescription): ToolMeta {
  const declared = metaSchema.safeParse(description._meta?.['icm/tool'])
  const hinted = hints.safeParse(description.annotations)
  const meta = declared.success ? declared.data : {}
  const { readOnlyHint, idempotentHint, destructiveHint } = hinted.success ? hinted.data : {}
  const merged = {
    ...meta,
    effect: meta.effect ?? (readOnlyHint === true ? 'read' : undefined),
    idempotent: meta.idempotent ?? idempotentHint,
    irreversible: meta.irreversible ?? (destructiveHint === true && readOnlyHint !== true ? true : undefined),
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as ToolMeta
}
