import { stat } from 'node:fs/promises'
import { nearestName } from '@icm/errors'
import type { ServerConnection } from '@icm/mcp-host'
import { bundledServers, type Configuration } from './config.js'
import { CliError } from './errors.js'
import { serverFolder } from './workspace-grant.js'

export interface ServerSources {
  readonly workspaceRoot: string
  readonly configuration: Configuration
  /** Asked once before the first program of the workspace starts. */
  readonly requireGrant: () => Promise<void>
  /** Told which backend `auto` took. */
  readonly onNote: (note: string) => void
}

/**
 * How a server that a stage names is reached: the two bundled ones inside this process, one of the configuration as a
 * child process, after the grant. Throws `cli/unknown-server` and `cli/no-library`.
 */
export async function serverConnection(
  name: string,
  stage: string,
  sources: ServerSources,
): Promise<ServerConnection> {
  const { configuration } = sources
  if (name === 'search-server') {
    const { createServer } = await import('@icm/search-server')
    const library = await requireLibrary(configuration, stage)
    if (configuration.search.backend === 'auto') sources.onNote(`search: the folder ${library}`)
    const server = createServer({ backend: 'folder', library })
    return { name, kind: 'in-memory', connect: (transport) => server.connect(transport) }
  }
  if (name === 'browser-server') {
    const { createServer } = await import('@icm/browser-server')
    const library = await libraryFolder(configuration)
    if (configuration.browser.backend === 'auto')
      sources.onNote('browser: plain HTTP and the files of the library')
    const server = createServer({ backend: 'http', ...(library === undefined ? {} : { library }) })
    return { name, kind: 'in-memory', connect: (transport) => server.connect(transport) }
  }
  const server = Object.hasOwn(configuration.servers, name) ? configuration.servers[name] : undefined
  if (server === undefined) throw unknownServer(name, stage, configuration)
  await sources.requireGrant()
  return {
    name,
    kind: 'stdio',
    cwd: serverFolder(configuration, sources.workspaceRoot),
    command: server.command,
    args: server.args,
    env: server.env,
    annotationsTrusted: server.annotationsTrusted,
    tools: server.tools,
  }
}

async function libraryFolder(configuration: Configuration): Promise<string | undefined> {
  const { library } = configuration.search
  return (await stat(library).then(
    (folder) => folder.isDirectory(),
    () => false,
  ))
    ? library
    : undefined
}

async function requireLibrary(configuration: Configuration, stage: string): Promise<string> {
  const library = await libraryFolder(configuration)
  if (library !== undefined) return library
  throw new CliError({
    code: 'cli/no-library',
    what: `Stage ${stage} was not started: ${configuration.search.library} is not a folder.`,
    why: 'Its contract searches, and the search server reads a folder of documents.',
    instead:
      'Make that folder and put documents into it, or name another one: [search] library = "…" in icm.config.toml.',
  })
}

function unknownServer(name: string, stage: string, configuration: Configuration): CliError {
  const known = [...bundledServers, ...Object.keys(configuration.servers)]
  const nearest = nearestName(name, known)
  const scripts = name === 'scripts'
  return new CliError({
    code: 'cli/unknown-server',
    what: `Stage ${stage} was not started: its contract names the server "${name}".`,
    why: scripts
      ? "This version of icm does not run a stage's own programs yet."
      : `The servers that are known are: ${known.join(', ')}.`,
    instead: scripts
      ? 'Take the scripts line out of ## Tools.'
      : nearest === undefined
        ? `Add [servers.${name}] with its command to icm.config.toml, or take the line out of ## Tools.`
        : `Did you mean "${nearest}"?`,
  })
}
