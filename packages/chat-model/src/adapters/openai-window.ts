import { ChatModelError } from '../errors.js'
import { isSameOllamaModel } from './ollama-show.js'
import {
  askOpenAi,
  endpoint,
  type ListedModel,
  listedModels,
  type OpenAiConnection,
} from './openai-server.js'

/**
 * Finds out how many tokens prompt and answer may have together, where the server tells: vLLM (`max_model_len` of
 * `/v1/models`), llama-server (`n_ctx` there, or of `/props` in older builds), and Ollama (`/api/ps`). Ollama says it of
 * loaded models only, so the model is loaded first, which the call itself would have to do anyway; it matters
 * there, because Ollama's `/v1` cuts a longer prompt without a word (field report A01).
 *
 * Undefined where the server does not tell. Throws what a call to the same server would throw.
 */
export async function findContextWindow(
  model: string,
  connection: OpenAiConnection,
): Promise<number | undefined> {
  const quick = { ...connection, limits: { totalTimeoutMs: 30_000, ...connection.limits } }
  const ask = (path: string, beside: boolean) => askQuietly(endpoint(connection.baseUrl, path, beside), quick)
  const models = listedModels(await ask('/models', false))
  const listed =
    models.find(({ id }) => isSameOllamaModel(id, model)) ?? (models.length === 1 ? models[0] : undefined)
  if (listed === undefined) return undefined
  const told = positive(listed.max_model_len) ?? positive(fields(listed.meta).n_ctx)
  if (told !== undefined) return told
  if (isLlamaServer(listed)) {
    return positive(fields(fields(await ask('/props', true)).default_generation_settings).n_ctx)
  }
  const running = await ask('/api/ps', true)
  if (!Array.isArray(fields(running).models)) return undefined
  const loaded = loadedWindow(running, model)
  if (loaded !== undefined) return loaded
  // A body without a prompt only loads the model.
  await askQuietly(
    endpoint(connection.baseUrl, '/api/generate', true),
    connection,
    JSON.stringify({ model, stream: false }),
  )
  return loadedWindow(await ask('/api/ps', true), model)
}

function isLlamaServer(listed: ListedModel): boolean {
  return listed.owned_by === 'llamacpp' || 'n_ctx_train' in fields(listed.meta)
}

function loadedWindow(running: unknown, model: string): number | undefined {
  const { models } = fields(running)
  const found = (Array.isArray(models) ? models : [])
    .map(fields)
    .find(({ name }) => isSameOllamaModel(String(name), model))
  return positive(found?.context_length)
}

/** What a server has no answer for does not matter here; that it cannot be reached does. */
async function askQuietly(url: URL, connection: OpenAiConnection, body?: string): Promise<unknown> {
  try {
    return await askOpenAi(url, connection, body)
  } catch (error) {
    if (ChatModelError.isInstance(error) && error.code !== 'chat/unreachable') return undefined
    throw error
  }
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}

function fields(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : {}
}
