/** How a parameter or tool name is compared when it does not match exactly: without case, `-`, `_` and spaces. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** Alias table: parameter → other names. */
export type AliasTable = { readonly [parameter: string]: readonly string[] }

/**
 * Makes the look-up from a folded name to the parameter that it means.
 * A parameter's own name wins over any alias, a tool's alias over a registry-wide one; a name that is left with two
 * meanings has none, because a guess would send a value to the wrong parameter.
 */
export function foldedParameters(
  parameters: Iterable<string>,
  toolAliases: AliasTable = {},
  sharedAliases: AliasTable = {},
): ReadonlyMap<string, string> {
  const own = [...parameters]
  const known = new Set(own)
  const layers = [
    own.map((name) => [name, name] as const),
    aliasPairs(toolAliases, known),
    aliasPairs(sharedAliases, known),
  ]
  // undefined: two meanings, which a weaker layer may not decide either
  const found = new Map<string, string | undefined>()
  for (const layer of layers) {
    const meanings = new Map<string, Set<string>>()
    for (const [name, parameter] of layer) {
      const folded = foldName(name)
      meanings.set(folded, (meanings.get(folded) ?? new Set()).add(parameter))
    }
    for (const [folded, meant] of meanings) {
      if (found.has(folded)) continue
      const [parameter] = meant
      found.set(folded, meant.size === 1 ? parameter : undefined)
    }
  }
  return new Map(
    [...found].flatMap(([folded, parameter]) =>
      parameter === undefined ? [] : [[folded, parameter] as const],
    ),
  )
}

function aliasPairs(aliases: AliasTable, known: ReadonlySet<string>): readonly (readonly [string, string])[] {
  return Object.entries(aliases)
    .filter(([parameter]) => known.has(parameter))
    .flatMap(([parameter, names]) => names.map((name) => [name, parameter] as const))
}
