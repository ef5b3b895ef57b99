import { nearestName } from '@icm/errors'
import { McpHostError } from './errors.js'

/**
 * Replaces every `${NAME}` in a server's configured environment by this process's variable.
 * Throws `mcp/missing-variable` for one that is not set, so that no server starts with an empty key (F17).
 */
export function expandEnvironment(
  server: string,
  configured: { readonly [name: string]: string },
  available: { readonly [name: string]: string | undefined },
): Record<string, string> {
  const expand = (name: string, value: string) =>
    value.replace(/\$\{([^}]*)\}/g, (_, variable: string) => {
      const found = available[variable]
      if (found === undefined) throw missingVariable(server, { name, variable, available })
      return found
    })
  return Object.fromEntries(Object.entries(configured).map(([name, value]) => [name, expand(name, value)]))
}

function missingVariable(
  server: string,
  { name, variable, available }: { name: string; variable: string; available: object },
): McpHostError {
  const nearest = nearestName(variable, Object.keys(available))
  return new McpHostError({
    code: 'mcp/missing-variable',
    what: `MCP server "${server}" was not started: its variable ${name} needs \${${variable}}, which is not set.`,
    why: 'A server started without a value that it was promised fails later, in a way that is hard to explain.',
    instead: `Set ${variable} in the environment${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}.`,
  })
}
