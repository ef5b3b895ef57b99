import { CliError } from './errors.js'
import { type ModelChoice, type ModelSearch, namedModel, noteFailure } from './model-search.js'
import { catalogWithinMs } from './ollama-candidates.js'

/**
 * The model of an OpenAI-compatible server: the one that is named and no other, else the default model, else the first
 * that the server lists. Throws `cli/configuration` without an address or a key that was promised.
 */
export async function* openaiCandidates(search: ModelSearch): AsyncGenerator<ModelChoice, void, void> {
  const { configuration, signal, tried } = search
  const at = await openaiPlace(search)
  const place = `the server at ${at.baseUrl}`
  const { listOpenaiModels } = await import('@icm/chat-model/openai-compatible')
  const limits = { totalTimeoutMs: catalogWithinMs }
  const stopping = signal === undefined ? {} : { signal }
  const models = await listOpenaiModels({ ...at, limits, ...stopping }).catch((error: unknown) =>
    noteFailure(search, place, error),
  )
  if (models === undefined) return
  const choose = (name: string, why: string) => ({ provider: 'openai-compatible', name, ...at, why }) as const
  const named = namedModel(search)
  const wanted = named ?? configuration.model.name
  const found = models.find(({ name }) => name === wanted || name === `${wanted}:latest`)?.name
  const [first] = models
  const names = models.map(({ name }) => name).join(', ')
  if (found !== undefined) yield choose(found, `${place} has ${found}`)
  else if (named !== undefined && first?.takesAnyName === true)
    yield choose(named, `${place} has one model, ${first.name}, and answers with it to any name`)
  else if (named !== undefined) tried.push(`${place}: it does not have ${named} (it has ${names || 'none'})`)
  else if (first === undefined) tried.push(`${place}: it has no models`)
  else yield choose(first.name, `no model is named, and ${first.name} is the first of ${place}`)
}

/** Where the server is, and the key that it wants. Throws `cli/configuration` when one of them is missing. */
export async function openaiPlace({
  configuration: { model, path = 'icm.config.toml' },
  wishes,
  env,
  requireKeyGrant,
}: Pick<ModelSearch, 'configuration' | 'wishes' | 'env' | 'requireKeyGrant'>): Promise<{
  readonly baseUrl: string
  readonly apiKey?: string
}> {
  const baseUrl = wishes.host ?? model.baseUrl
  if (baseUrl === undefined) {
    throw new CliError({
      code: 'cli/configuration',
      what: 'The provider openai-compatible was not used: it has no address.',
      why: 'Such a server has no place of its own where one could look for it.',
      instead: `Add base_url = "http://127.0.0.1:8080/v1" to [model] in ${path}, or give --host that address.`,
    })
  }
  if (!/^https?:\/\/./.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new CliError({
      code: 'cli/configuration',
      what: `The provider openai-compatible was not used: ${JSON.stringify(baseUrl)} is no address of a server.`,
      why: 'It has to begin with http:// or https:// and to end with the path of the API, mostly /v1.',
      instead: `Give ${wishes.host === undefined ? `[model] base_url in ${path}` : '--host'} an address such as http://127.0.0.1:8080/v1.`,
    })
  }
  const variable = model.apiKeyEnv
  if (variable === undefined) return { baseUrl }
  const apiKey = env[variable]
  if (apiKey === undefined || apiKey === '') {
    throw new CliError({
      code: 'cli/configuration',
      what: `The server at ${baseUrl} was not asked: the environment variable ${variable} is not set.`,
      why: `[model] api_key_env in ${path} says that it holds the key.`,
      instead: `Run: export ${variable}=<key>, or take api_key_env away if the server wants none.`,
    })
  }
  await requireKeyGrant?.({ variable, origin: URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl })
  return { baseUrl, apiKey }
}
