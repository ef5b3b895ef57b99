/** What we use of Ollama's `/api/show`. */
export interface OllamaModelDetails {
  /** `'completion'`, `'tools'`, `'thinking'`, `'vision'`, …; empty when the server does not say. */
  readonly capabilities: readonly string[]
  /** The longest window that the model was made for, in tokens. */
  readonly contextLength?: number
  readonly family?: string
  readonly parameterSize?: string
  readonly quantization?: string
}

/** Reads an answer of `/api/show`; fields of a wrong type count as absent. */
export function readShowResponse(body: unknown): OllamaModelDetails {
  const show = asObject(body)
  const details = asObject(show.details)
  const info = asObject(show.model_info)
  const architecture = info['general.architecture']
  const contextLength = info[`${String(architecture)}.context_length`]
  return {
    capabilities: Array.isArray(show.capabilities) ? show.capabilities.map(String) : [],
    ...(typeof contextLength === 'number' ? { contextLength } : {}),
    ...(typeof details.family === 'string' ? { family: details.family } : {}),
    ...(typeof details.parameter_size === 'string' ? { parameterSize: details.parameter_size } : {}),
    ...(typeof details.quantization_level === 'string' ? { quantization: details.quantization_level } : {}),
  }
}

/** Reads an answer of `/api/tags`: `null` is an empty list (Go writes it so), and no list at all is undefined. */
export function readModelList(
  body: unknown,
):
  | readonly { readonly name: string; readonly sizeBytes: number; readonly modifiedAt?: string }[]
  | undefined {
  const { models } = asObject(body)
  if (models === null) return []
  if (!Array.isArray(models)) return undefined
  return models.map(asObject).flatMap(({ name, size, modified_at: modified }) => {
    if (typeof name !== 'string' || name === '') return []
    const time = typeof modified === 'string' ? Date.parse(modified) : Number.NaN
    const modifiedAt = Number.isNaN(time) ? {} : { modifiedAt: new Date(time).toISOString() }
    return [{ name, sizeBytes: typeof size === 'number' ? size : 0, ...modifiedAt }]
  })
}

/** Whether two names mean one model: a name without a tag means `:latest`. */
export function isSameOllamaModel(one: string, other: string): boolean {
  return withTag(one) === withTag(other)
}

function withTag(name: string): string {
  return /:[^/]*$/.test(name) ? name : `${name}:latest`
}

function asObject(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : {}
}
