import { chooseModel, llamaProblem, modelCacheFolder, openModel } from '@icm/cli'
import { ensureModel } from '../model/find-model.mjs'

const defaultModel = 'qwen2.5-coder:1.5b'

/**
 * @typedef {{ model: import('@icm/cli').ChosenModel, replay?: undefined } | { replay: string }} DemoChoice
 *   an open model, or why there is only a replay
 */

/**
 * The model of `icm run`, else one that is fetched, each opened before it counts: an engine that does not load makes
 * room for the next step, and at last for the replay. Throws where the person has named a model or a provider that
 * is not to be had, and the reason of an abort.
 * @param {import('@icm/cli').Configuration} configuration
 * @param {{ model?: string, provider?: string, yes?: boolean }} wishes
 * @param {object} options
 * @param {import('@icm/cli').CliEnvironment} options.environment
 * @param {import('../model/models.mjs').DemoModels} options.known
 * @param {(line: string) => void} options.say
 * @returns {Promise<DemoChoice>}
 */
export async function chooseDemoModel(configuration, wishes, { environment, known, say }) {
  const { env, signal } = environment
  const name = wishes.model ?? defaultModel
  const fetchable = wishes.provider !== 'ollama' && Object.hasOwn(known, name) ? known[name] : undefined
  /** @type {string[]} */
  const tried = []
  try {
    return { model: await chooseModel(configuration, wishes, { env, signal, accepts }) }
  } catch (error) {
    if (!isNoModel(error) || fetchable === undefined) throw error
    tried.push(...error.details.tried)
  }
  const problem = await llamaProblem()
  if (problem !== undefined)
    return replayOnly([...tried, `the embedded engine: ${problem.what} ${problem.why}`])
  const { ask } = environment
  const found = await ensureModel({
    model: fetchable,
    confirm: async (question) => wishes.yes || ask === undefined || ask(question, { enterMeans: 'yes' }),
    signal,
    env,
    say,
  })
  if (found.path === undefined) return replayOnly([...tried, ...found.tried])
  say(`opening ${found.path} (${found.how})`)
  try {
    const choice = /** @type {const} */ ({ provider: 'llama', path: found.path, why: found.how })
    return { model: await openModel(choice, configuration, { signal }) }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error && 'what' in error)) throw error
    return replayOnly([...tried, ...found.tried, `${found.path}: ${error.message}`])
  }

  /**
   * A file in the cache is checked (size and checksum) before it is used, and another model's file is not taken.
   * @param {import('@icm/cli').ModelChoice} choice
   */
  function accepts(choice) {
    const cache = modelCacheFolder(env)
    const isCached = choice.provider === 'llama' && cache !== undefined && choice.path.startsWith(cache)
    return !isCached || fetchable === undefined
  }
}

/** @param {string[]} tried */
function replayOnly(tried) {
  return { replay: `no model was found. Tried, in order:\n  - ${tried.join('\n  - ')}` }
}

/**
 * @param {unknown} error
 * @returns {error is Error & { code: string, details: { tried: string[] } }}
 */
function isNoModel(error) {
  return error instanceof Error && 'code' in error && error.code === 'cli/no-model'
}
