import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hashJson } from '@icm/json-schema'
import { writeFileAtomically } from '@icm/safe-files'
import type { Configuration } from './config.js'
import { CliError } from './errors.js'
import { homeFolder } from './home-folder.js'
import type { KeyPlace } from './model-search.js'
import type { Ask } from './run-cli.js'
import { printable, printableName } from './style.js'

interface Grants {
  readonly [hash: string]: { readonly workspace: string; readonly grantedAt: string }
}

export interface GrantOptions {
  readonly workspaceRoot: string
  readonly configuration: Configuration
  /** `--trust-workspace`. */
  readonly trusted: boolean
  /** Asks at a terminal; undefined without one. */
  readonly ask?: Ask
  readonly env: NodeJS.ProcessEnv
}

/**
 * Lets a workspace's own programs start only after a person has seen every command once. The grant lies in the user's
 * home and is bound to a hash of the workspace's place and its servers: any change asks again. Without a terminal it
 * fails with `cli/not-trusted` and names the flag.
 */
export async function requireGrant(options: GrantOptions): Promise<void> {
  const { servers } = options.configuration
  const names = Object.keys(servers)
  if (names.length === 0) return
  const folder = serverFolder(options.configuration, options.workspaceRoot)
  const scripts = await hashScripts(folder, servers)
  // A name or an argument may hold characters that move the cursor or hide text: the person must see them (D07).
  const commands = printable(names.map((name) => `  ${name}: ${commandLine(servers[name])}`).join('\n'))
  const question = `This workspace wants to start these programs, in ${printableName(folder)}:\n${commands}\nStart them, now and later?`
  await agreeOnce(options, { workspace: options.workspaceRoot, servers, scripts }, question, {
    what: `The programs of this workspace were not started:\n${commands}`,
    why: 'A workspace from elsewhere may name any program; a person must agree once.',
    instead: 'Read the commands above. If you trust them, run again with --trust-workspace.',
  })
}

/**
 * Lets the content of an environment variable leave this machine only after a person has agreed once: a workspace from
 * elsewhere could name any variable and any address. Without a terminal it fails with `cli/not-trusted`.
 */
export async function requireKeyGrant({ variable, origin }: KeyPlace, options: GrantOptions): Promise<void> {
  const sending = printable(`the content of ${variable} to ${origin}`)
  const question = `This workspace wants to send ${sending} as a key.\nSend it, now and later?`
  await agreeOnce(options, { workspace: options.workspaceRoot, variable, origin }, question, {
    what: `The model was not asked: that would send ${sending}.`,
    why: 'A workspace from elsewhere may name any variable and any address; a person must agree once.',
    instead: 'If the address is the one that the key is for, run: icm run --trust-workspace.',
  })
}

async function agreeOnce(
  options: GrantOptions,
  subject: object,
  question: string,
  refusal: { readonly what: string; readonly why: string; readonly instead: string },
): Promise<void> {
  const path = grantsPath(options.env)
  const grants = await readGrants(path)
  const hash = hashJson(subject)
  if (Object.hasOwn(grants, hash)) return
  if (!options.trusted && (await options.ask?.(question)) !== true)
    throw new CliError({ code: 'cli/not-trusted', ...refusal })
  const granted: Grants = {
    ...grants,
    [hash]: { workspace: options.workspaceRoot, grantedAt: new Date().toISOString() },
  }
  await writeFileAtomically(path, `${JSON.stringify(granted, null, 2)}\n`)
}

/** Where the programs of `[servers]` start: beside the configuration that names them. */
export function serverFolder(configuration: Configuration, workspaceRoot: string): string {
  return configuration.path === undefined ? workspaceRoot : dirname(configuration.path)
}

/** Hashes of the files that commands and arguments name: another script under the same name asks again. */
async function hashScripts(
  folder: string,
  servers: Configuration['servers'],
): Promise<{ readonly [path: string]: string }> {
  const words = Object.values(servers).flatMap((server) => [server.command, ...server.args])
  const hashes: Record<string, string> = {}
  for (const word of new Set(words)) {
    const path = resolve(folder, word)
    // A pipe or a device would be read without end.
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    )
    const data = isFile ? await readFile(path).catch(() => undefined) : undefined
    if (data !== undefined) hashes[word] = createHash('sha256').update(data).digest('hex')
  }
  return hashes
}

function grantsPath(env: NodeJS.ProcessEnv): string {
  const home = homeFolder(env)
  const folder = env.XDG_CONFIG_HOME || (home === undefined ? undefined : join(home, '.config'))
  if (folder !== undefined) return join(folder, 'icm', 'grants.json')
  throw new CliError({
    code: 'cli/no-home',
    what: 'The programs of this workspace were not started: this user has no home folder.',
    why: "A person's leave to start them is kept there.",
    instead: 'Set HOME, or XDG_CONFIG_HOME, to a folder that can be written.',
  })
}

async function readGrants(path: string): Promise<Grants> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw unreadableGrants(path, `It cannot be read (${error.code}).`, error)
  })
  let grants: unknown
  try {
    grants = JSON.parse(text)
  } catch (cause) {
    throw unreadableGrants(path, 'It is not valid JSON.', cause)
  }
  if (!isTable(grants) || !Object.values(grants).every(isGrant))
    throw unreadableGrants(path, 'It is no list of grants as icm writes it.', undefined)
  return grants as unknown as Grants
}

function isGrant(value: unknown): boolean {
  return isTable(value) && typeof value.workspace === 'string' && typeof value.grantedAt === 'string'
}

function isTable(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unreadableGrants(path: string, why: string, cause: unknown): CliError {
  return new CliError(
    {
      code: 'cli/configuration',
      what: `${path} could not be read, and nothing was started.`,
      why,
      instead: 'Mend or delete it; then every workspace asks once more.',
    },
    { cause },
  )
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
