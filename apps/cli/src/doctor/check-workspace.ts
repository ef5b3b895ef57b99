import { access, constants, readdir } from 'node:fs/promises'
import { loadStage, type Workspace } from '@icm/context-loader'
import { bundledServers, type Configuration } from '../config.js'
import type { Finding } from './finding.js'

/** Do the stages have what they name: files, servers, a library? */
export async function checkWorkspace(
  workspace: Workspace,
  configuration: Configuration,
): Promise<readonly Finding[]> {
  const contexts = await Promise.all(workspace.stages.map((stage) => loadStage(workspace, stage.name)))
  const servers = new Set(contexts.flatMap((context) => context.contract.tools.map((tool) => tool.server)))
  const stages = contexts.flatMap((context) =>
    context.problems
      .filter((problem) => problem.severity === 'error' && problem.details?.producer === undefined)
      .map(
        (problem): Finding => ({
          name: context.stage.name,
          state: 'fault',
          text: `${problem.path}:${problem.line}: ${problem.what}`,
          fix: problem.instead,
        }),
      ),
  )
  return [
    {
      name: 'workspace',
      state: 'ok',
      text: `${workspace.root}, stages: ${workspace.stages.map((stage) => stage.name).join(', ')}`,
    },
    await checkWritable(workspace.root),
    ...workspace.problems.map(
      (problem): Finding => ({
        name: 'workspace',
        state: problem.severity === 'error' ? 'fault' : 'warning',
        text: problem.what,
        fix: problem.instead,
      }),
    ),
    ...stages,
    ...[...servers]
      .filter((server) => !isKnown(server, configuration))
      .map(
        (server): Finding => ({
          name: 'server',
          state: 'fault',
          text: `a contract names "${server}", which is not configured`,
          fix: `add [servers.${server}] with its command to icm.config.toml`,
        }),
      ),
    ...(servers.has('search-server') ? [await checkLibrary(configuration)] : []),
  ]
}

function isKnown(server: string, configuration: Configuration): boolean {
  return (
    (bundledServers as readonly string[]).includes(server) || Object.hasOwn(configuration.servers, server)
  )
}

async function checkWritable(root: string): Promise<Finding> {
  const name = 'write access'
  return access(root, constants.W_OK).then(
    (): Finding => ({ name, state: 'ok', text: 'outputs can be written' }),
    (): Finding => ({
      name,
      state: 'fault',
      text: `${root} cannot be written`,
      fix: 'give yourself the right to write there, or copy the workspace',
    }),
  )
}

async function checkLibrary(configuration: Configuration): Promise<Finding> {
  const { library } = configuration.search
  const names = await readdir(library, { recursive: true }).catch(() => undefined)
  const documents = (names ?? []).filter((name) => /\.(md|txt|html?)$/i.test(name)).length
  if (documents > 0) return { name: 'library', state: 'ok', text: `${documents} documents in ${library}` }
  const text = names === undefined ? `${library} is not there` : `${library} holds no documents`
  return {
    name: 'library',
    state: 'fault',
    text,
    fix: 'put .md, .txt or .html documents there, or set [search] library',
  }
}
