import type { OllamaServerOptions } from '@icm/chat-model/ollama'
import { IcmError } from '@icm/errors'
import type { Configuration } from '../config.js'
import { catalogWithinMs } from '../ollama-candidates.js'
import { shellWord } from '../shell-word.js'
import type { Finding } from './finding.js'

const name = 'Ollama'
const reachableWithinMs = 2_000

/** Is Ollama there, does it have the model, can the model call tools, and do tool schemas arrive whole? */
export async function checkOllama(
  configuration: Configuration,
  host: string | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const server = await import('@icm/chat-model/ollama')
  try {
    const url = server.normalizeOllamaHost(host)
    const place = url.host
    const at = { host: url.href, signal, limits: { totalTimeoutMs: catalogWithinMs } }
    const version = await server.readOllamaVersion({ ...at, limits: { totalTimeoutMs: reachableWithinMs } })
    const models = await server.listOllamaModels(at)
    const running: Finding = {
      name,
      state: 'ok',
      text: `version ${version} at ${place}, models: ${models.map((model) => model.name).join(', ') || 'none'}`,
    }
    return [
      running,
      ...(await checkModels(
        configuration,
        at,
        models.map((model) => model.name),
      )),
    ]
  } catch (error) {
    if (!IcmError.isInstance(error)) throw error
    return [faultFinding(error)]
  }
}

function faultFinding({ code, what, why, instead, details }: IcmError): Finding {
  if (code === 'chat/unreachable') {
    const fix = 'start it with "ollama serve", or name its place with OLLAMA_HOST or --host'
    return { name, state: 'fault', optional: true, text: `no answer at ${details.host}`, fix }
  }
  const fix = code === 'chat/timeout' ? 'restart that server' : instead
  // A host that is no address stops every run, whatever else is there.
  return {
    name,
    state: 'fault',
    ...(code === 'chat/bad-option' ? {} : { optional: true }),
    text: `${what} ${why}`,
    fix,
  }
}

type Place = Pick<OllamaServerOptions, 'host' | 'signal' | 'limits'>

async function checkModels(
  configuration: Configuration,
  at: Place,
  names: readonly string[],
): Promise<readonly Finding[]> {
  const { showOllamaModel } = await import('@icm/chat-model/ollama')
  const wanted = configuration.model.name
  const found = names.find((candidate) => candidate === wanted || candidate === `${wanted}:latest`)
  const pull = { name: 'model', fix: `ollama pull ${shellWord(wanted)}` }
  if (found === undefined && configuration.model.nameIsExplicit) {
    return [{ ...pull, state: 'fault', text: `${wanted} ([model] name) is not on the server` }]
  }
  if (names.length === 0)
    return [{ ...pull, state: 'fault', optional: true, text: 'the server has no models' }]
  const failed: Finding[] = []
  for (const candidate of found === undefined ? names : [found]) {
    const details = await showOllamaModel({ ...at, model: candidate }).catch((error: unknown) => {
      if (!IcmError.isInstance(error)) throw error
      failed.push({ ...pull, state: 'warning', text: `${candidate}: ${error.what}` })
      return undefined
    })
    if (details === undefined || !details.capabilities.includes('tools')) continue
    const window = Math.min(
      configuration.model.contextWindow,
      details.contextLength ?? configuration.model.contextWindow,
    )
    const text = `${candidate} can call tools; window ${window} of at most ${details.contextLength ?? 'unknown'} tokens`
    return [
      ...failed,
      { name: 'model', state: 'ok', ready: true, text },
      await checkToolTemplate(candidate, at),
    ]
  }
  if (failed.length > 0) return failed
  const text =
    found === undefined ? `none of ${names.join(', ')} can call tools` : `${found} cannot call tools`
  return [
    {
      name: 'model',
      state: 'warning',
      text,
      fix: 'stages with tools need one that can, such as qwen2.5-coder:1.5b',
    },
  ]
}

/**
 * Some servers print a tool's schema into the prompt in the notation of their own program instead of JSON, and the
 * model then joins argument names. `_debug_render_only` returns the prompt without running the model.
 */
async function checkToolTemplate(model: string, { limits: _, ...at }: Place): Promise<Finding> {
  const { renderOllamaPrompt } = await import('@icm/chat-model/ollama')
  const prompt = await renderOllamaPrompt({
    ...at,
    model,
    messages: [{ role: 'user', text: 'x' }],
    tools: [
      {
        name: 'probe_tool',
        description: 'probe',
        inputSchema: {
          type: 'object',
          properties: { probe_argument: { type: 'string' } },
          required: ['probe_argument'],
        },
      },
    ],
  }).catch((error: unknown) => {
    if (!IcmError.isInstance(error)) throw error
    return error
  })
  const about = 'tool schemas in the prompt'
  if (IcmError.isInstance(prompt))
    return { name: about, state: 'warning', text: prompt.what, fix: prompt.instead }
  if (prompt === undefined)
    return { name: about, state: 'missing', text: 'this server cannot show its prompt' }
  const isJson = /"probe_argument"\s*:\s*\{/.test(prompt)
  if (isJson) return { name: about, state: 'ok', text: 'they arrive as JSON' }
  return {
    name: about,
    state: 'fault',
    text: `they do not arrive as JSON: the chat template of ${model} prints them in another notation`,
    fix: 'in its Modelfile, write {{ json .Function }} instead of {{ .Function }} in TEMPLATE, and "ollama create" it again',
  }
}
