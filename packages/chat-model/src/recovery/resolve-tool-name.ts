/**
 * Finds the tool that a model meant, or undefined: the exact name, else the name without what models hang on it –
 * control tokens (`search<|channel|>commentary`), quotes, `()`, a namespace (`functions.search`) – else the only
 * name that is equal but for case and separators, else the only one that ends or begins where a server's prefix is
 * missing or was made up (field report B04). Never a guess between two.
 */
export function resolveToolName(written: string, names: readonly string[]): string | undefined {
  const bare = (written.split('<|')[0] ?? '').trim().replace(/^[`"']+|[`"']+$|\(\)$/g, '')
  const shortened = bare.replace(/^(?:functions?|tools?|default_api|api)[.:/]/i, '')
  for (const candidate of [written, bare, shortened]) if (names.includes(candidate)) return candidate
  const wanted = plain(shortened)
  if (wanted === '') return undefined
  return (
    onlyOne(names, (name) => plain(name) === wanted) ??
    onlyOne(names, (name) => plain(name).endsWith(`_${wanted}`)) ??
    onlyOne(
      names,
      (name) => namespaced.test(shortened) && plain(shortened.split(namespaced).at(-1) ?? '') === plain(name),
    )
  )
}

const namespaced = /\.|__|::|\//

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_')
}

function onlyOne(names: readonly string[], matches: (name: string) => boolean): string | undefined {
  const found = names.filter(matches)
  return found.length === 1 ? found[0] : undefined
}
