import { objectShape, toJsonSchema } from '@icm/json-schema'
import type { ToolFinding } from './check-tools.js'
import type { AnyTool } from './types.js'

/** What a tool does not say about itself, and what falls to the safe side for it. */
const DECLARED: readonly (readonly [string, (tool: AnyTool) => boolean, string])[] = [
  ['idempotent', (tool) => tool.idempotent === undefined, 'it counts as not idempotent'],
  ['blastRadius', (tool) => tool.blastRadius === undefined, 'every call needs a consent'],
  ['limit', (tool) => tool.limit === undefined, 'its results are cut at 2,000 characters'],
  ['trust', (tool) => tool.trust === undefined, 'a sandbox does not see it'],
  ['output', (tool) => tool.output === undefined, 'its results count as foreign text'],
]

/** Declarations that are missing, or that say what cannot be. */
export function checkDeclarations(tools: readonly AnyTool[]): readonly ToolFinding[] {
  return tools.flatMap((tool) => [...checkMissing(tool), ...checkRadius(tool)])
}

function checkMissing(tool: AnyTool): readonly ToolFinding[] {
  const missing = DECLARED.filter(([, isMissing]) => isMissing(tool))
  if (missing.length === 0) return []
  const what = `${tool.name} does not declare ${missing.map(([field, , effect]) => `${field} (${effect})`).join(', ')}.`
  return [
    {
      code: 'undeclared',
      tools: [tool.name],
      what,
      instead: 'Declare it, also where the safe side is meant.',
    },
  ]
}

function checkRadius(tool: AnyTool): readonly ToolFinding[] {
  const { name, blastRadius, dryRun } = tool
  if (blastRadius === undefined) return []
  const found: ToolFinding[] = []
  const hasParameters = objectShape(toJsonSchema(tool.input)).properties.size > 0
  if (blastRadius.length === 0 && hasParameters && !isRead(tool)) {
    const what = `The radius of ${name} is the same for all arguments, although it has some.`
    found.push({
      code: 'fixed-radius',
      tools: [name],
      what,
      instead: 'Count the objects that the arguments really touch.',
    })
  }
  if (blastRadius.length > 0 && dryRun === undefined) {
    const what = `${name} may change several objects and has no dry run.`
    found.push({
      code: 'no-dry-run',
      tools: [name],
      what,
      instead: 'Give it dryRun, which says what would happen.',
    })
  }
  return found
}

/** Whether a radius that takes no arguments is that of a read. */
function isRead(tool: AnyTool): boolean {
  try {
    return tool.blastRadius?.({}, { signal: new AbortController().signal }) === 0
  } catch {
    return false
  }
}
