import { foldName } from './parameter-names.js'

/** Which tool a model meant, and the sentence that reports a guess. */
export interface ResolvedName {
  readonly name: string
  readonly repair?: string
}

/** The names of a session's visible tools, ready for look-up. */
export interface NameIndex {
  readonly exact: ReadonlySet<string>
  /** Folded name → every tool that it may mean, `otherNames` included. */
  readonly folded: ReadonlyMap<string, ReadonlySet<string>>
}

/** Builds the look-up once per registry, so that a call costs the same with ten tools and with ten thousand. */
export function indexNames(
  tools: Iterable<{ readonly name: string; readonly otherNames?: readonly string[] | undefined }>,
): NameIndex {
  const exact = new Set<string>()
  const folded = new Map<string, Set<string>>()
  for (const tool of tools) {
    exact.add(tool.name)
    for (const name of [tool.name, ...(tool.otherNames ?? [])]) {
      const key = foldName(name)
      folded.set(key, (folded.get(key) ?? new Set()).add(tool.name))
    }
  }
  return { exact, folded }
}

/**
 * Finds the tool that a model means: the exact name, else the name without the control tokens that some models
 * leave at its end, else the only tool whose name or other name differs in case, `-` or `_`. Two possible tools
 * are none. Source of the rule: field report B04.
 */
export function resolveName(index: NameIndex, called: string): ResolvedName | undefined {
  if (index.exact.has(called)) return { name: called }
  const bare = called.replace(/<\|.*$/s, '').trim()
  const meant = index.exact.has(bare) ? new Set([bare]) : index.folded.get(foldName(bare))
  const [name] = meant ?? []
  if (name === undefined || meant?.size !== 1) return undefined
  return { name, repair: `The tool name ${JSON.stringify(called.slice(0, 80))} was read as "${name}".` }
}
