import { z } from 'zod'

/** A tool as its server describes it, read leniently; `outputSchema` is left alone (F10). */
export interface ToolDescription {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: { readonly [key: string]: unknown }
  readonly annotations?: { readonly [key: string]: unknown } | undefined
  readonly _meta?: { readonly [key: string]: unknown } | undefined
}

/** One page of `tools/list`. */
export interface ToolPage {
  readonly tools: readonly unknown[]
  readonly nextCursor?: string | undefined
}

/** Everything that may stand in a page; each tool is read by itself, so that one bad tool costs only itself. */
export const toolPageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional(),
})

const record = z.record(z.string(), z.unknown())
const descriptionSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional().catch(undefined),
  inputSchema: record,
  annotations: record.optional().catch(undefined),
  _meta: record.optional().catch(undefined),
})

/**
 * Reads all pages of a server's tool list. The SDK reads one; this goes on until there is no cursor, a cursor
 * repeats or `maxPages` is reached, and says so when it stops early (F11). Of two tools with one name the first counts.
 */
export async function listTools(
  requestPage: (cursor: string | undefined) => Promise<ToolPage>,
  options: { readonly maxPages: number; readonly onNotice: (notice: string) => void },
): Promise<readonly ToolDescription[]> {
  const tools = new Map<string, ToolDescription>()
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const answer = await requestPage(cursor)
    for (const item of answer.tools) addTool(tools, item, options.onNotice)
    cursor = answer.nextCursor
    if (cursor === undefined || cursor === '') break
    if (seen.has(cursor)) {
      options.onNotice(`The tool list repeated its cursor after page ${page}; what came so far is used.`)
      break
    }
    if (page >= options.maxPages) {
      options.onNotice(`The tool list has more than ${options.maxPages} pages; the others are not read.`)
      break
    }
    seen.add(cursor)
  }
  return [...tools.values()]
}

function addTool(
  tools: Map<string, ToolDescription>,
  item: unknown,
  onNotice: (notice: string) => void,
): void {
  const read = descriptionSchema.safeParse(item)
  if (!read.success) {
    const [issue] = read.error.issues
    onNotice(`${nameIn(item)} in the list was left out: ${issue?.path.join('.')} ${issue?.message}.`)
  } else if (tools.has(read.data.name)) {
    onNotice(`The tool list has "${read.data.name}" twice; the first counts.`)
  } else {
    tools.set(read.data.name, { ...read.data, inputSchema: withKnownDialect(read.data.inputSchema) })
  }
}

function nameIn(item: unknown): string {
  const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined
  return typeof name === 'string' && name !== '' ? `The tool "${name}"` : 'A tool without a name'
}

/** A schema's dialect is said only where the validator has it; the others are close enough to be read without. */
function withKnownDialect(schema: { readonly [key: string]: unknown }) {
  const { $schema, ...rest } = schema
  return /draft-07|2020-12/.test(String($schema)) ? schema : rest
}
