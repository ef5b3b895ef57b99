import { documentAddress } from '@icm/documents'
import { BrowserServerError } from '../errors.js'

const kinds = '.md, .txt and .html'

/** The library has no such document; `nearest` are paths of ones that it has. */
export function missing(path: string, nearest: readonly string[]): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/not-found',
    what: `${documentAddress(path)} was not read.`,
    why: 'The library has no such document.',
    instead: readOne(nearest),
  })
}

/** A file that is there and is no document. */
export function notADocument(path: string, nearest: readonly string[]): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/not-found',
    what: `${documentAddress(path)} was not read.`,
    why: `Only ${kinds} documents of the library are read, no hidden files and no links.`,
    instead: readOne(nearest),
  })
}

/** An address that leads out of the library. */
export function outside(address: string, nearest: readonly string[]): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/address-refused',
    what: `${address} was not read.`,
    why: 'Only files in the library may be read; their addresses begin with file:///library/.',
    instead: readOne(nearest),
  })
}

/** A wording that fits more than one document. */
export function severalMeant(wording: string, paths: readonly string[]): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/bad-address',
    what: `"${wording}" was not read.`,
    why: `It can mean ${paths.length === 2 ? 'two' : 'several'} documents.`,
    instead: readOne(paths),
  })
}

/** The library's folder itself cannot be read. `name` is its last part: no path of this machine goes into a prompt. */
export function libraryMissing(name: string, cause: unknown): BrowserServerError {
  return new BrowserServerError(
    {
      code: 'browser/not-found',
      what: `The library folder "${name}" was not read.`,
      why: 'It is gone, or this user may not read it.',
      instead:
        'Stop reading documents, and tell the person to check the folder that `[search] library` names.',
    },
    { cause },
  )
}

function readOne(paths: readonly string[]): string {
  const [first, ...others] = paths.map(documentAddress)
  if (first === undefined) return 'Tell the person that the library holds no document.'
  return others.length === 0 ? `Read ${first}.` : `Read one of: ${[first, ...others].join(', ')}.`
}
