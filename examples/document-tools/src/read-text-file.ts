import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { decodeText } from '@icm/documents'
import { resolveContained } from '@icm/safe-files'
import { explainFileError } from '@icm/tool-registry'
import { DocumentToolsError } from './errors.js'

const MOST_BYTES = 32_000_000
const LISTED_ENTRIES = 6

/**
 * The text of a file of `root`. Throws `path/escapes-root`; an error with the folder's real entries for a file that
 * is not there; `document/no-text` for a folder and for what is not text; `document/too-large` from 32 MB on.
 */
export async function readTextFile(root: string, path: string): Promise<string> {
  const real = await resolveContained(root, path)
  // Not through a link that was put there meanwhile, and not waiting for a pipe that nobody writes to.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  try {
    const file = await open(real, flags)
    try {
      const status = await file.stat()
      if (status.isDirectory()) throw await isFolder(path, real)
      if (!status.isFile()) throw noText(path, 'It is no ordinary file.')
      if (status.size > MOST_BYTES) throw tooLarge(path, status.size)
      const bytes = await file.readFile()
      if (bytes.subarray(0, 8_000).includes(0) && !hasWideMark(bytes))
        throw noText(path, 'It holds bytes that are no text (a picture, an archive, a program).')
      return decodeText(bytes)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw (await explainFileError(error, [root])) ?? error
  }
}

/** UTF-16 has zero bytes, and says so at its beginning. */
function hasWideMark(bytes: Buffer): boolean {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  return mark === 0xfffe || mark === 0xfeff
}

async function isFolder(path: string, real: string): Promise<DocumentToolsError> {
  const names = (await readdir(real)).filter((name) => !name.startsWith('.')).sort()
  const more = names.length > LISTED_ENTRIES ? ` and ${names.length - LISTED_ENTRIES} more` : ''
  return noText(
    path,
    `It is a folder and has: ${names.slice(0, LISTED_ENTRIES).join(', ') || 'nothing'}${more}.`,
    `Read one of these, or call find_documents(folder=${JSON.stringify(path)}).`,
  )
}

function noText(path: string, why: string, instead = 'Read another file.'): DocumentToolsError {
  return new DocumentToolsError({ code: 'document/no-text', what: `${path} was not read.`, why, instead })
}

function tooLarge(path: string, size: number): DocumentToolsError {
  return new DocumentToolsError({
    code: 'document/too-large',
    what: `${path} was not read.`,
    why: `It has ${size.toLocaleString('en-US')} bytes; ${MOST_BYTES.toLocaleString('en-US')} are the most.`,
    instead: `Count its lines with run_program(program="wc", files=[${JSON.stringify(path)}]), or read another file.`,
  })
}
