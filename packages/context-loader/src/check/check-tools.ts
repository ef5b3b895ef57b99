import type { ToolAllowance } from '@icm/contract-parser'
import { nearestName } from '@icm/errors'
import { readDocument } from '../read-document.js'
import type { LoadProblem, StageRef, Workspace } from '../types.js'
import { isInside, joinPath, shownPath } from '../workspace-paths.js'
import type { StageCheck } from './check-stage.js'

/** Server name → its tools; undefined where the server is known but was not asked for its tools. */
export interface KnownServers {
  readonly [server: string]: readonly string[] | undefined
}

/**
 * Checks `## Tools` against the servers that there are, `scripts:` against the stage's own folder, and the stage's own
 * references against its allowlist: a reference that tells the model to call a tool which it does not have misleads it.
 */
export async function checkTools(
  workspace: Workspace,
  checks: readonly StageCheck[],
  servers: KnownServers | undefined,
): Promise<readonly LoadProblem[]> {
  const problems: LoadProblem[] = []
  const known = knownTools(checks, servers)
  for (const check of checks) {
    for (const allowance of check.contract.tools) {
      if (allowance.server === 'scripts')
        problems.push(...(await missingScripts(workspace, check.stage, allowance)))
      else if (servers) problems.push(...unknownTools(workspace, check.stage, allowance, servers))
    }
    problems.push(...(await forbiddenTools(workspace, check, known)))
  }
  return problems
}

function placeOf(workspace: Workspace, stage: StageRef, { line, column }: ToolAllowance) {
  return { path: shownPath(workspace, stage.contractPath), line, column }
}

async function missingScripts(
  workspace: Workspace,
  stage: StageRef,
  allowance: ToolAllowance,
): Promise<LoadProblem[]> {
  const { files } = workspace
  const folder = joinPath(stage.folder, 'scripts')
  const there = (await files.kindOf(folder)) === 'folder' ? await files.list(folder) : []
  const named = allowance.tools === 'all' ? [] : allowance.tools
  if (allowance.tools === 'all' && there.length > 0) return []
  const missing = allowance.tools === 'all' ? ['*'] : named.filter((name) => !there.includes(name))
  return missing.map((name) => {
    const nearest = nearestName(name, there)
    return {
      code: 'context/missing-script',
      severity: 'error',
      what: `The script "${name}" of stage ${stage.name} was not found.`,
      why: `Looked in "${shownPath(workspace, folder)}", which ${there.length === 0 ? 'is empty or not there' : `holds: ${there.join(', ')}`}.`,
      instead: nearest ? `Did you mean "${nearest}"?` : `Put it into "${shownPath(workspace, folder)}".`,
      details: { script: name, ...(nearest ? { nearest } : {}) },
      ...placeOf(workspace, stage, allowance),
    }
  })
}

function unknownTools(
  workspace: Workspace,
  stage: StageRef,
  allowance: ToolAllowance,
  servers: KnownServers,
): LoadProblem[] {
  const { server, tools } = allowance
  const place = placeOf(workspace, stage, allowance)
  if (!Object.hasOwn(servers, server)) {
    const names = Object.keys(servers)
    const nearest = nearestName(server, names)
    return [
      {
        code: 'context/unknown-server',
        severity: 'error',
        what: `Stage ${stage.name} names the tool server "${server}", which is not known.`,
        why: names.length === 0 ? 'No server is configured.' : `The known servers are: ${names.join(', ')}.`,
        instead: nearest
          ? `Did you mean "${nearest}"?`
          : `Add [servers.${server}] with its command to icm.config.toml, or remove the line.`,
        details: { server, ...(nearest ? { nearest } : {}) },
        ...place,
      },
    ]
  }
  const offered = servers[server]
  if (offered === undefined || tools === 'all') return []
  return tools
    .filter((tool) => !offered.includes(tool))
    .map((tool) => {
      const nearest = nearestName(tool, offered)
      return {
        code: 'context/unknown-tool',
        severity: 'error',
        what: `The server "${server}" has no tool "${tool}".`,
        why: offered.length === 0 ? 'It offers none.' : `It offers: ${offered.join(', ')}.`,
        instead: nearest ? `Did you mean "${nearest}"?` : `Remove "${tool}" from the line.`,
        details: { server, tool, ...(nearest ? { nearest } : {}) },
        ...place,
      }
    })
}

/** Tool name → the servers that have it, as far as contracts and servers tell. */
function knownTools(
  checks: readonly StageCheck[],
  servers: KnownServers | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>()
  const add = (tool: string, server: string) => known.set(tool, (known.get(tool) ?? new Set()).add(server))
  for (const [server, tools] of Object.entries(servers ?? {}))
    for (const tool of tools ?? []) add(tool, server)
  for (const { contract } of checks) {
    for (const { server, tools } of contract.tools)
      if (tools !== 'all') for (const tool of tools) add(tool, server)
  }
  return known
}

async function forbiddenTools(
  workspace: Workspace,
  { stage, contract, context }: StageCheck,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<LoadProblem[]> {
  const allowed = (tool: string) =>
    contract.tools.some(({ server, tools }) =>
      tools === 'all' ? known.get(tool)?.has(server) === true : tools.includes(tool),
    )
  const forbidden = [...known.keys()].filter((tool) => !allowed(tool))
  const problems: LoadProblem[] = []
  for (const part of context.parts) {
    if (part.layer !== 3 || !isInside(stage.folder, part.path)) continue
    const document = await readDocument(workspace.files, part.path)
    if (document.kind !== 'text') continue
    for (const tool of forbidden) {
      const at = document.text.indexOf(`\`${tool}\``)
      if (at < 0) continue
      const before = document.text.slice(0, at).split(/\r\n|\n|\r/)
      const list = contract.tools.flatMap(({ server, tools }) => (tools === 'all' ? [`${server}: *`] : tools))
      problems.push({
        code: 'context/tool-not-allowed',
        severity: 'warning',
        what: `This reference of stage ${stage.name} names the tool "${tool}", which the stage does not have.`,
        why: list.length === 0 ? 'Its contract allows no tools.' : `Its contract allows: ${list.join(', ')}.`,
        instead: `Add "${tool}" to the Tools of ${stage.name}, or remove it here.`,
        details: { tool, stage: stage.name },
        path: shownPath(workspace, part.path),
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
      })
    }
  }
  return problems
}
