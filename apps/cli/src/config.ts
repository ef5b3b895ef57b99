import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { nearestName } from '@icm/errors'
import { type ConfigKey, configKeys, serverListKeys, toolEffects } from './config-schema.js'
import { CliError } from './errors.js'
import { lineOfKey } from './toml-position.js'

interface ServerConfiguration {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly annotationsTrusted: boolean
  readonly tools: { readonly [tool: string]: { readonly effect: (typeof toolEffects)[number] } }
}

/** Everything that `icm.config.toml` decides, with defaults filled in. */
export interface Configuration {
  /** Absolute; undefined when the workspace has none. */
  readonly path?: string
  readonly model: {
    readonly provider: 'auto' | 'ollama' | 'openai-compatible' | 'llama'
    readonly name: string
    /** The file names the model: then no other one may take its place. */
    readonly nameIsExplicit: boolean
    readonly host?: string
    readonly baseUrl?: string
    /** The name of the environment variable; the key itself is in no configuration. */
    readonly apiKeyEnv?: string
    readonly modelPath?: string
    readonly temperature: number
    readonly seed?: number
    readonly thinking: boolean
    readonly thinkingIsExplicit: boolean
    readonly contextWindow: number
    readonly maxOutputTokens: number
    readonly maxItemTokens?: number
    readonly parallel: number
  }
  readonly search: { readonly backend: 'auto' | 'folder'; readonly library: string }
  readonly browser: { readonly backend: 'auto' | 'http' }
  readonly workflow: { readonly maxToolCalls: number; readonly maxTurns: number; readonly maxMinutes: number }
  readonly servers: { readonly [name: string]: ServerConfiguration }
  /** Values for the placeholders in the names of outputs. */
  readonly placeholders: { readonly [name: string]: string }
}

type Table = { readonly [key: string]: unknown }

const fileName = 'icm.config.toml'
export const bundledServers = ['search-server', 'browser-server'] as const

/** Reads the workspace's `icm.config.toml`, else the nearest parent's, else defaults. Throws `cli/configuration` with a line. */
export async function readConfiguration(workspaceRoot: string): Promise<Configuration> {
  for (let folder = workspaceRoot; ; folder = dirname(folder)) {
    const path = join(folder, fileName)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw configurationError(
        path,
        undefined,
        'the file',
        `It cannot be read (${error.code}).`,
        'Give yourself the right to read it, or move it away.',
        error,
      )
    })
    if (text !== undefined) return parseConfiguration(text, path)
    if (dirname(folder) === folder) return parseConfiguration('', undefined, workspaceRoot)
  }
}

/** Checks a configuration text. Unknown keys and wrong types are errors that name the line and the nearest key. */
export async function parseConfiguration(
  text: string,
  path?: string,
  folder?: string,
): Promise<Configuration> {
  const table = await parseToml(text, path)
  const fail = (section: string, key: string, why: string, instead: string) =>
    configurationError(
      path,
      lineOfKey(text, section, key),
      `${section === '' ? '' : `[${section}] `}${key}`,
      why,
      instead,
    )
  checkSections(table, fail)
  const value = (section: string, key: string) =>
    readKey(table[section] as Table | undefined, section, key, fail)
  const base = path === undefined ? (folder ?? process.cwd()) : dirname(path)
  const isGiven = (key: string) => (table.model as Table | undefined)?.[key] !== undefined
  const absolute = (relative: unknown) =>
    isAbsolute(String(relative)) ? String(relative) : resolve(base, String(relative))
  const modelPath = value('model', 'model_path')
  const host = value('model', 'host')
  const baseUrl = value('model', 'base_url')
  const apiKeyEnv = value('model', 'api_key_env')
  const seed = value('model', 'seed')
  const maxItemTokens = value('model', 'max_item_tokens')
  return {
    ...(path === undefined ? {} : { path }),
    model: {
      provider: value('model', 'provider') as Configuration['model']['provider'],
      name: value('model', 'name') as string,
      nameIsExplicit: isGiven('name'),
      ...(host === undefined ? {} : { host: host as string }),
      ...(baseUrl === undefined ? {} : { baseUrl: baseUrl as string }),
      ...(apiKeyEnv === undefined ? {} : { apiKeyEnv: apiKeyEnv as string }),
      ...(modelPath === undefined ? {} : { modelPath: absolute(modelPath) }),
      temperature: value('model', 'temperature') as number,
      ...(seed === undefined ? {} : { seed: seed as number }),
      thinking: value('model', 'thinking') as boolean,
      thinkingIsExplicit: isGiven('thinking'),
      contextWindow: value('model', 'context_window') as number,
      maxOutputTokens: value('model', 'max_output_tokens') as number,
      ...(maxItemTokens === undefined ? {} : { maxItemTokens: maxItemTokens as number }),
      parallel: value('model', 'parallel') as number,
    },
    search: {
      backend: value('search', 'backend') as 'auto' | 'folder',
      library: absolute(value('search', 'library')),
    },
    browser: { backend: value('browser', 'backend') as 'auto' | 'http' },
    workflow: {
      maxToolCalls: value('workflow', 'max_tool_calls') as number,
      maxTurns: value('workflow', 'max_turns') as number,
      maxMinutes: value('workflow', 'max_minutes') as number,
    },
    servers: readServers(table.servers as Table | undefined, fail),
    placeholders: readPlaceholders(table.placeholders as Table | undefined, fail),
  }
}

type Fail = (section: string, key: string, why: string, instead: string) => CliError

async function parseToml(text: string, path: string | undefined): Promise<Table> {
  if (text.trim() === '') return {}
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text)
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const reason = cause.message.split('\n')[0] ?? ''
    throw configurationError(
      path,
      cause.line,
      'the file',
      `It is not valid TOML: ${reason}.`,
      `Mend line ${cause.line}, column ${cause.column}.`,
      cause,
    )
  }
}

function configurationError(
  path: string | undefined,
  line: number | undefined,
  key: string,
  why: string,
  instead: string,
  cause?: unknown,
): CliError {
  const place = `${path ?? fileName}${line === undefined ? '' : `:${line}`}`
  return new CliError(
    {
      code: 'cli/configuration',
      what: `${place}: ${key} was not accepted.`,
      why,
      instead,
      details: { path: path ?? '', line: line ?? 0 },
    },
    { cause },
  )
}

function checkSections(table: Table, fail: Fail): void {
  const sections = [...new Set(configKeys.map((key) => key.section.split('.')[0] ?? '')), 'placeholders']
  for (const [section, content] of Object.entries(table)) {
    if (!sections.includes(section)) {
      const nearest = nearestName(section, sections)
      const hint =
        nearest === undefined ? `The sections are: ${sections.join(', ')}.` : `Did you mean "${nearest}"?`
      throw fail('', section, 'There is no such section.', hint)
    }
    if (!isTable(content))
      throw fail('', section, 'It is a section, not a key.', `Write [${section}] on a line of its own.`)
    if (section !== 'servers' && section !== 'placeholders')
      checkKeys(content, section, keysOf(section), fail)
  }
}

function checkKeys(content: Table, section: string, known: readonly string[], fail: Fail): void {
  for (const key of Object.keys(content)) {
    if (known.includes(key)) continue
    const nearest = nearestName(key, known)
    const hint = nearest === undefined ? `Its keys are: ${known.join(', ')}.` : `Did you mean "${nearest}"?`
    throw fail(section, key, 'There is no such key.', hint)
  }
}

function keysOf(section: string): readonly string[] {
  return configKeys.filter((key) => key.section === section).map((key) => key.key)
}

function readKey(
  content: Table | undefined,
  section: string,
  key: string,
  fail: Fail,
  schemaSection = section,
): unknown {
  const schema = configKeys.find((entry) => entry.section === schemaSection && entry.key === key)
  const value = content?.[key]
  if (schema === undefined || value === undefined) return schema?.default
  const fault = faultOf(value, schema)
  if (fault !== undefined) throw fail(section, key, `It is ${shown(value)}.`, `Give ${fault}.`)
  return value
}

function faultOf(value: unknown, schema: ConfigKey): string | undefined {
  if (schema.type === 'integer' || schema.type === 'number') {
    const low = schema.minimum ?? Number.NEGATIVE_INFINITY
    const right =
      typeof value === 'number' &&
      value >= low &&
      (schema.type === 'number' ? Number.isFinite(value) : Number.isSafeInteger(value))
    const kind = schema.type === 'integer' ? 'a whole number' : 'a number'
    return right
      ? undefined
      : `${kind}${schema.minimum === undefined ? '' : ` of at least ${schema.minimum}`}`
  }
  if (typeof value !== schema.type) return schema.type === 'string' ? 'a text in quotes' : 'true or false'
  if (schema.values === undefined || schema.values.includes(value as string)) return undefined
  const nearest = nearestName(value as string, schema.values)
  return `one of: ${schema.values.join(', ')}${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}`
}

/** A TOML value as a person wrote it; JSON knows no `inf`, no `nan` and no whole numbers beyond its own. */
function shown(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number' || Number.isFinite(value)) return JSON.stringify(value)
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
}

function readPlaceholders(table: Table | undefined, fail: Fail): Configuration['placeholders'] {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(table ?? {})) {
    if (typeof value !== 'string' || value.trim() === '')
      throw fail('placeholders', name, `It is ${shown(value)}.`, 'Give a text in quotes.')
    values[name] = value
  }
  return values
}

function readServers(table: Table | undefined, fail: Fail): Configuration['servers'] {
  // Without a prototype: a server named __proto__ must not become one.
  const servers: Record<string, ServerConfiguration> = Object.create(null)
  for (const [name, content] of Object.entries(table ?? {})) {
    const section = `servers.${name}`
    if (!isTable(content))
      throw fail('servers', name, 'A server is a section.', `Write [${section}] with a command.`)
    if (!/^[A-Za-z][\w.-]*$/.test(name)) {
      throw fail(
        'servers',
        name,
        'A server has a plain name.',
        'Begin with a letter; use letters, digits, "-", "_" and "." only.',
      )
    }
    if ((bundledServers as readonly string[]).includes(name) || name === 'scripts') {
      throw fail('servers', name, 'That name is taken by a part of icm.', 'Give the server another name.')
    }
    checkKeys(content, section, [...keysOf('servers.*'), ...Object.keys(serverListKeys)], fail)
    const command = readKey(content, section, 'command', fail, 'servers.*')
    if (command === undefined)
      throw fail('servers', name, 'It has no command.', 'Add command = "…" with the program to start.')
    servers[name] = {
      command: command as string,
      args: readStrings(content.args, section, fail),
      env: readStringTable(content.env, section, fail),
      annotationsTrusted: readKey(content, section, 'annotations_trusted', fail, 'servers.*') as boolean,
      tools: readEffects(content.tools, section, fail),
    }
  }
  return servers
}

function readStrings(value: unknown, section: string, fail: Fail): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw fail(section, 'args', `It is ${JSON.stringify(value)}.`, `Give a ${serverListKeys.args}.`)
}

function readStringTable(value: unknown, section: string, fail: Fail): { readonly [name: string]: string } {
  if (value === undefined) return {}
  if (isTable(value) && Object.values(value).every((item) => typeof item === 'string'))
    return value as { [name: string]: string }
  throw fail(
    section,
    'env',
    'Its values are not all texts.',
    `Give a ${serverListKeys.env}, such as { TOKEN = "\${TOKEN}" }.`,
  )
}

function readEffects(value: unknown, section: string, fail: Fail): ServerConfiguration['tools'] {
  if (value === undefined) return {}
  if (!isTable(value))
    throw fail(
      section,
      'tools',
      'It is not a table.',
      `Write [${section}.tools.<tool>] with effect = "read".`,
    )
  const tools: Record<string, { effect: (typeof toolEffects)[number] }> = {}
  for (const [tool, content] of Object.entries(value)) {
    const place = `${section}.tools.${tool}`
    if (!isTable(content))
      throw fail(`${section}.tools`, tool, 'A tool is a section.', `Write [${place}] with effect = "read".`)
    checkKeys(content, place, ['effect'], fail)
    const effect = toolEffects.find((known) => known === content.effect)
    if (effect === undefined)
      throw fail(
        place,
        'effect',
        `It is ${JSON.stringify(content.effect)}.`,
        `Give one of: ${toolEffects.join(', ')}.`,
      )
    tools[tool] = { effect }
  }
  return tools
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
