import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nearestName } from '@icm/errors'
import type { BrowserServerOptions } from './create-server.js'
import { BrowserServerError } from './errors.js'

export const usage = `Usage: icm-browser-server [options]

An MCP server on standard input and output that reads web pages and documents:
fetch_snippet, fetch_urls, fetch_structure.

Options:
  --backend <name>     what fetches pages: http (the default)
  --library <folder>   folder whose documents file:///library/<path> names; without it no files are read
  --allow-host <host>  host that may be read although it is not public, e.g. localhost or 192.168.1.5:8080;
                       may be given several times
  --help               this text
  --version            the version
`

const known = {
  backend: { type: 'string', default: 'http' },
  library: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly options: BrowserServerOptions }

/** Reads a command line (without node and script). A relative library is taken from `folder`. Throws `browser/bad-option`. */
export function parseArguments(argv: readonly string[], folder: string): Command {
  const values = parse(argv)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const options: BrowserServerOptions = {
    // `createServer` refuses a name that is no backend.
    backend: values.backend as BrowserServerOptions['backend'],
    ...(values.library === undefined ? {} : { library: resolve(folder, values.library) }),
    ...(values['allow-host'] === undefined ? {} : { allowedHosts: values['allow-host'] }),
  }
  return { kind: 'serve', options }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: known, strict: true }).values
  } catch (error) {
    const given = argv.find((argument) => argument.startsWith('-') && !isKnown(argument))
    const near = nearestName(given?.replace(/^-+|=.*$/g, '') ?? '', Object.keys(known))
    throw new BrowserServerError(
      {
        code: 'browser/bad-option',
        what: 'browser-server was not started: the command line was not understood.',
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
