import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nearestName } from '@icm/errors'
import type { SearchServerOptions } from './create-server.js'
import { SearchServerError } from './errors.js'

export const usage = `Usage: icm-search-server --library <folder> [options]

An MCP server on standard input and output with one tool, search, over the .md, .txt and .html documents of a folder.

Options:
  --library <folder>  the folder; its documents get the addresses file:///library/<path>
  --backend <name>    where results come from: folder (the default)
  --help              this text
  --version           the version
`

const known = {
  backend: { type: 'string', default: 'folder' },
  library: { type: 'string' },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly options: SearchServerOptions }

/** Reads a command line (without node and script). A relative library is taken from `folder`. Throws `search/bad-option`. */
export function parseArguments(argv: readonly string[], folder: string): Command {
  const values = parse(argv)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const options: SearchServerOptions = {
    // `createServer` refuses a name that is no backend.
    backend: values.backend as SearchServerOptions['backend'],
    library: values.library === undefined ? '' : resolve(folder, values.library),
  }
  return { kind: 'serve', options }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: known, strict: true }).values
  } catch (error) {
    const given = argv.find((argument) => argument.startsWith('-') && !isKnown(argument))
    const near = nearestName(given?.replace(/^-+|=.*$/g, '') ?? '', Object.keys(known))
    throw new SearchServerError(
      {
        code: 'search/bad-option',
        what: 'search-server was not started: the command line was not understood.',
        why: error instanceof Error ? (error.message.split('. ')[0] ?? '').concat('.') : '',
        instead:
          near === undefined
            ? 'Run it with --help for the options.'
            : `Did you mean --${near}? --help lists the options.`,
      },
      { cause: error },
    )
  }
}

function isKnown(argument: string): boolean {
  return Object.hasOwn(known, argument.replace(/^--|=.*$/g, ''))
}
