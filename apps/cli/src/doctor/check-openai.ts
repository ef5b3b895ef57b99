import { IcmError } from '@icm/errors'
import type { ModelSearch } from '../model-search.js'
import { catalogWithinMs } from '../ollama-candidates.js'
import { openaiPlace } from '../openai-candidates.js'
import type { Finding } from './finding.js'

const name = 'server'

/** Does the OpenAI-compatible server answer, does it take the key, does it have the model, and which window? */
export async function checkOpenai(
  search: Pick<ModelSearch, 'configuration' | 'wishes' | 'env' | 'signal' | 'requireKeyGrant'>,
): Promise<readonly Finding[]> {
  const { signal } = search
  const { listOpenaiModels } = await import('@icm/chat-model/openai-compatible')
  try {
    const place = await openaiPlace(search)
    const limits = { totalTimeoutMs: catalogWithinMs }
    const stopping = signal === undefined ? {} : { signal }
    const models = await listOpenaiModels({ ...place, limits, ...stopping })
    const listed = models.map((model) => model.name).join(', ') || 'none'
    const running: Finding = { name, state: 'ok', text: `${place.baseUrl} answers, models: ${listed}` }
    return [running, await checkModel(search, models, { ...place, ...stopping })]
  } catch (error) {
    if (!IcmError.isInstance(error)) throw error
    const fix =
      error.code === 'chat/unreachable' ? 'start that server, or correct [model] base_url' : error.instead
    return [{ name, state: 'fault', text: `${error.what} ${error.why}`, fix }]
  }
}

async function checkModel(
  { configuration: { model } }: Pick<ModelSearch, 'configuration'>,
  models: readonly { readonly name: string; readonly takesAnyName: boolean }[],
  at: Parameters<typeof import('@icm/chat-model/openai-compatible').listOpenaiModels>[0],
): Promise<Finding> {
  const [first] = models
  const found = models.find((listed) => listed.name === model.name || listed.name === `${model.name}:latest`)
  const used = found ?? (model.nameIsExplicit && first?.takesAnyName !== true ? undefined : first)
  if (used === undefined) {
    const text = model.nameIsExplicit
      ? `${model.name} ([model] name) is not on the server`
      : 'it has no models'
    return {
      name: 'model',
      state: 'fault',
      text,
      fix: 'load it there, or set [model] name to one that is there',
    }
  }
  const { readOpenaiWindow } = await import('@icm/chat-model/openai-compatible')
  const told = await readOpenaiWindow({ ...at, model: used.name })
  const window = Math.min(model.contextWindow, told ?? model.contextWindow)
  const most = told === undefined ? 'the server does not tell its own' : `of at most ${told} tokens`
  return { name: 'model', state: 'ok', ready: true, text: `${used.name}; window ${window}, ${most}` }
}
