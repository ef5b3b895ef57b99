import { type ModelChoice, type ModelSearch, namedModel, noteFailure } from './model-search.js'

const reachableWithinMs = 1_500
/** For what an Ollama that has answered knows by heart: its models, and what each can do. */
export const catalogWithinMs = 10_000

/**
 * The models of an Ollama server that may be used: the one that is named and no other; else the default model, then
 * those that can call tools, in the server's order. Throws `chat/bad-option` for a host that is no address.
 */
export async function* ollamaCandidates(search: ModelSearch): AsyncGenerator<ModelChoice, void, void> {
  const { configuration, env, signal, tried, wishes } = search
  const server = await import('@icm/chat-model/ollama')
  const wantedHost = wishes.host ?? (env.OLLAMA_HOST || configuration.model.host)
  const url = server.normalizeOllamaHost(wantedHost)
  const place = `Ollama at ${url.host}`
  const at = { host: url.href, ...(signal === undefined ? {} : { signal }) }
  const patient = { ...at, limits: { totalTimeoutMs: catalogWithinMs } }
  let names: readonly string[]
  try {
    await server.readOllamaVersion({ ...at, limits: { totalTimeoutMs: reachableWithinMs } })
    names = (await server.listOllamaModels(patient)).map((model) => model.name)
  } catch (error) {
    return noteFailure(search, place, error)
  }
  const choose = (name: string, why: string) => ({ provider: 'ollama', name, host: url.href, why }) as const
  const named = namedModel(search)
  const wanted = named ?? configuration.model.name
  const found = names.find((name) => server.isSameOllamaModel(name, wanted))
  if (named !== undefined) {
    const others = names.length === 0 ? ', nor any other model' : ` (it has ${names.join(', ')})`
    if (found === undefined) tried.push(`${place}: it does not have ${named}${others}`)
    else yield choose(found, `${found} was asked for, and Ollama has it`)
    return
  }
  if (found !== undefined) yield choose(found, `Ollama answers and has ${found}, the default model`)
  const cannot: string[] = []
  for (const name of names.filter((other) => other !== found)) {
    try {
      const { capabilities } = await server.showOllamaModel({ ...patient, model: name })
      if (!capabilities.includes('tools')) cannot.push(name)
      else yield choose(name, whyAnother(name, wanted, found))
    } catch (error) {
      noteFailure(search, `${place}, model ${name}`, error)
    }
  }
  if (names.length === 0) tried.push(`${place}: it has no models`)
  else if (cannot.length === names.length)
    tried.push(`${place}: none of its models can call tools (${names.join(', ')})`)
  else if (cannot.length > 0) tried.push(`${place}: ${cannot.join(', ')} cannot call tools`)
}

function whyAnother(name: string, wanted: string, found: string | undefined): string {
  const missing = found === undefined ? `${wanted} is not there` : `${wanted} could not be used`
  return `Ollama answers; ${missing}, ${name} is the first of its models that can call tools`
}
