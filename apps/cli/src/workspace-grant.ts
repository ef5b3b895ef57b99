import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { hashJson } from '@icm/json-schema'
import { writeFileAtomically } from '@icm/safe-files'
import type { Configuration } from './config.js'
import { CliError } from './errors.js'

interface Grants {
  readonly [hash: string]: { readonly workspace: string; readonly grantedAt: string }
}

export interface GrantOptions {
  readonly workspaceRoot: string
  readonly servers: Configuration['servers']
  /** `--trust-workspace`. */
  readonly trusted: boolean
  /** Asks at a terminal; undefined without one. */
  readonly ask?: (question: string) => Promise<boolean>
  readonly env: NodeJS.ProcessEnv
}

/**
 * Lets a workspace's own programs start only after a person has seen every command once. The grant lies in the user's
 * home and is bound to a hash of the workspace's place and its servers: any change asks again. Without a terminal it
 * fails with `cli/not-trusted` and names the flag.
 */
export async function requireGrant(options: GrantOptions): Promise<void> {
  const names = Object.keys(options.servers)
  if (names.length === 0) return
  const path = grantsPath(options.env)
  const grants = await readGrants(path)
  const hash = hashJson({ workspace: options.workspaceRoot, servers: options.servers })
  if (grants[hash] !== undefined) return
  const commands = names.map((name) => `  ${name}: ${commandLine(options.servers[name])}`).join('\n')
  const agreed =
    options.trusted ||
    (await options.ask?.(
      `This workspace wants to start these programs:\n${commands}\nStart them, now and later?`,
    )) === true
  if (!agreed) {
    throw new CliError({
      code: 'cli/not-trusted',
      what: `The programs of this workspace were not started:\n${commands}`,
      why: 'A workspace from elsewhere may name any program; a person must agree once.',
      instead: 'Read the commands above. If you trust them, run again with --trust-workspace.',
    })
  }
  const granted: Grants = {
    ...grants,
    [hash]: { workspace: options.workspaceRoot, grantedAt: new Date().toISOString() },
  }
  await writeFileAtomically(path, `${JSON.stringify(granted, null, 2)}\n`)
}

function grantsPath(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'icm', 'grants.json')
}

async function readGrants(path: string): Promise<Grants> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as Grants
  } catch (cause) {
    throw new CliError(
      {
        code: 'cli/configuration',
        what: `${path} could not be read, and nothing was started.`,
        why: 'It is not valid JSON.',
        instead: 'Mend or delete it; then every workspace asks once more.',
      },
      { cause },
    )
  }
}

/** Every part of a command as a person must see it: nothing hidden, nothing cut. */
function commandLine(server: Configuration['servers'][string] | undefined): string {
  if (server === undefined) return ''
  const words = [server.command, ...server.args].map((word) =>
    /^[\w./@:=-]+$/.test(word) ? word : JSON.stringify(word),
  )
  const env = Object.entries(server.env).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [...env, ...words].join(' ')
}
