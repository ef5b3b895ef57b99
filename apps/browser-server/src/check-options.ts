import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { BrowserServerOptions } from './create-server.js'
import { BrowserServerError } from './errors.js'

/** The backends that this version has. */
const backends: readonly string[] = ['http']

/** Throws `browser/bad-option` for an option that cannot work, before any page is asked for. */
export function checkOptions(options: BrowserServerOptions): void {
  if (!backends.includes(options.backend)) {
    throw badOption(
      `the backend is "${options.backend}"`,
      `This version has: ${backends.join(', ')}.`,
      `Set [browser] backend (or --backend) to "${backends[0]}".`,
    )
  }
  if (options.library !== undefined) checkLibrary(options.library)
  for (const host of options.allowedHosts ?? []) checkHost(host)
  const { timeoutMs } = options
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= 25_000)) {
    throw badOption(
      `timeoutMs is ${timeoutMs}`,
      'It is a whole number from 1 to 25,000, so that a page ends before its tool call does.',
      'Leave it out for 20,000.',
    )
  }
}

function checkLibrary(library: string): void {
  if (!isAbsolute(library)) {
    throw badOption(
      `the library is "${library}"`,
      'It must be an absolute path.',
      'Resolve it against the workspace first.',
    )
  }
  if (!isFolder(library)) {
    throw badOption(
      `the library ${library} is not a folder that can be read`,
      'The readers open the documents in it.',
      'Create that folder, or correct [search] library in icm.config.toml (--library here).',
    )
  }
}

function checkHost(host: string): void {
  const [, name = '', port] = /^(\[[\da-f:.]+\]|[^\s/:@?#[\]]+)(?::(\d{1,5}))?$/i.exec(host.trim()) ?? []
  const url = `http://${name}/`
  // An address writes a host in one way only: 127.1 would never match, because it becomes 127.0.0.1.
  const canonical = name !== '' && URL.canParse(url) && new URL(url).hostname === name.toLowerCase()
  if (canonical && Number(port ?? 0) <= 65_535) return
  throw badOption(
    `"${host}" is listed as an allowed host`,
    'A host is a name or an IP address, perhaps with a port, as an address writes it.',
    'Write it like localhost, 192.168.1.5:8080 or [::1].',
  )
}

function badOption(fault: string, why: string, instead: string): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/bad-option',
    what: `browser-server was not started: ${fault}.`,
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
