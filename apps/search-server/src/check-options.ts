import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { SearchServerOptions } from './create-server.js'
import { SearchServerError } from './errors.js'

/** The backends that this version has. */
const backends: readonly string[] = ['folder']

/** Throws for an option that cannot work, before anything is searched. */
export function checkOptions({ backend, library }: SearchServerOptions): void {
  if (!backends.includes(backend)) {
    throw notStarted(
      `the backend is "${backend}"`,
      `This version has: ${backends.join(', ')}.`,
      `Set [search] backend (or --backend) to "${backends[0]}".`,
    )
  }
  if (library === undefined || library === '') {
    throw notStarted(
      'no library was named',
      'The folder backend searches the documents of a folder.',
      'Set [search] library in icm.config.toml to a folder (--library on the command line).',
    )
  }
  if (!isAbsolute(library)) {
    throw notStarted(
      `the library is "${library}"`,
      'It must be an absolute path.',
      'Resolve it against the workspace first.',
    )
  }
  if (!isFolder(library)) {
    throw new SearchServerError({
      code: 'search/library-missing',
      what: `search-server was not started: the library ${library} is not a folder that can be read.`,
      why: 'The folder backend searches the documents in it.',
      instead:
        'Create that folder, or correct [search] library in icm.config.toml (--library on the command line).',
      details: { library },
    })
  }
}

function notStarted(fault: string, why: string, instead: string): SearchServerError {
  return new SearchServerError({
    code: 'search/bad-option',
    what: `search-server was not started: ${fault}.`,
    why,
    instead,
  })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
