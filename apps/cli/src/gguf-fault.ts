import { open } from 'node:fs/promises'

const MAGIC = 'GGUF'

/**
 * Why a file cannot be a model file, as the end of a sentence that begins with its path; undefined when it may be one:
 * a GGUF file begins with the four letters of its format. An aborted download or a saved web page does not.
 */
export async function ggufFault(path: string): Promise<string | undefined> {
  try {
    const file = await open(path)
    try {
      if (!(await file.stat()).isFile()) return 'is not a file'
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
      return buffer.toString('latin1', 0, bytesRead) === MAGIC
        ? undefined
        : 'is no GGUF file (its first four bytes are not "GGUF")'
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    if (code === 'EISDIR') return 'is not a file'
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'is not there' : `cannot be read (${code})`
  }
}
