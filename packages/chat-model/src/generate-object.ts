import {
  type Infer,
  type JsonSchema,
  repairValue,
  type Schema,
  toJsonSchema,
  type ValidationResult,
  validate,
} from '@icm/json-schema'
import { createDegenerationDetector } from './degenerate-output.js'
import { ChatModelError } from './errors.js'
import { missingFinish } from './generate.js'
import { parseJsonAnswer } from './parse-json-answer.js'
import type { ChatModel, ChatRequest, ChatResponse, Message } from './types.js'

export interface GenerateObjectRequest<S extends Schema>
  extends Omit<ChatRequest, 'outputSchema' | 'tools' | 'toolChoice'> {
  readonly schema: S
  /** How often the model may mend an answer that does not validate; default 1. */
  readonly repairAttempts?: number
}

/**
 * Asks for one JSON value and validates it, whatever the server promises: a schema that is only sent along is not
 * always enforced (field report B12). So it stands in `outputSchema` and in the prompt; a fence is unwrapped,
 * obvious type slips are mended, and an answer that is still wrong is shown to the model once with its faults.
 *
 * `maxOutputTokens` defaults to 1024. Throws `chat/invalid-output` (details: the issues) when the repairs are used
 * up, and `chat/degenerate-output` as soon as the stream repeats itself.
 */
export async function generateObject<S extends Schema>(
  model: ChatModel,
  request: GenerateObjectRequest<S>,
): Promise<{ readonly object: Infer<S>; readonly response: ChatResponse }> {
  const { schema, repairAttempts = 1, maxOutputTokens = 1024, ...rest } = request
  const outputSchema = toJsonSchema(schema)
  let messages = withSchema(request.messages, outputSchema)
  for (let attempt = 0; ; attempt++) {
    const response = await readAnswer(model, { ...rest, maxOutputTokens, messages, outputSchema })
    const result = await check(schema, outputSchema, response)
    if (result.valid) return { object: result.value, response }
    const issues = result.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    if (attempt >= repairAttempts) throw invalidOutput(model.id, issues, response, attempt + 1)
    messages = [...messages, response.message, { role: 'user', text: repairPrompt(issues) }]
  }
}

async function readAnswer(model: ChatModel, request: ChatRequest): Promise<ChatResponse> {
  const detect = createDegenerationDetector()
  let written = 0
  for await (const event of model.stream(request)) {
    if (event.type === 'finish') return { message: event.message, reason: event.reason, usage: event.usage }
    if (event.type !== 'text-delta') continue
    written += event.text.length
    const seen = detect(event.text)
    if (seen !== undefined) throw degenerate(model.id, seen, written)
  }
  throw missingFinish(model.id)
}

async function check<S extends Schema>(
  schema: S,
  outputSchema: JsonSchema,
  response: ChatResponse,
): Promise<ValidationResult<Infer<S>>> {
  const answer = parseJsonAnswer(response.message.text)
  if ('problem' in answer) {
    const cut = response.reason === 'length' ? ' It was cut off: write a shorter one.' : ''
    return { valid: false, issues: [{ path: '', message: answer.problem + cut }] }
  }
  const first = await validate(schema, answer.value)
  if (first.valid) return first
  const repaired = repairValue(outputSchema, answer.value)
  if (repaired.repairs.length === 0) return first
  const second = await validate(schema, repaired.value)
  return second.valid ? second : first
}

/** The schema goes behind the last user message, so that everything before it stays in the prefix cache. */
function withSchema(messages: readonly Message[], schema: JsonSchema): readonly Message[] {
  const text = `Answer with one JSON value that matches this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`
  const last = messages.at(-1)
  if (last?.role !== 'user') return [...messages, { role: 'user', text }]
  return [...messages.slice(0, -1), { ...last, text: `${last.text}\n\n${text}` }]
}

function repairPrompt(issues: readonly string[]): string {
  const list = issues.slice(0, 10).map((issue) => `- ${issue}`)
  return `That answer does not match the schema:\n${list.join('\n')}\nAnswer again with the whole corrected JSON, and with nothing else.`
}

function invalidOutput(
  modelId: string,
  issues: readonly string[],
  response: ChatResponse,
  attempts: number,
): ChatModelError {
  return new ChatModelError({
    code: 'chat/invalid-output',
    what: `${modelId} gave no valid object in ${attempts} ${attempts === 1 ? 'answer' : 'answers'}: ${issues.slice(0, 5).join('; ')}`,
    why: `The last answer began with ${JSON.stringify(response.message.text.slice(0, 80))}.`,
    instead: 'Make the schema simpler, say in the prompt what the fields mean, or use a stronger model.',
    details: { issues, answer: response.message.text.slice(0, 2_000) },
  })
}

function degenerate(modelId: string, seen: string, written: number): ChatModelError {
  return new ChatModelError({
    code: 'chat/degenerate-output',
    what: `${modelId} ${seen}; it was stopped after ${written} characters.`,
    why: 'A small model under a schema can get stuck in a loop that only the token limit ends.',
    instead: 'Raise the temperature a little, shorten the free-text fields, or use a stronger model.',
    retryable: true,
    details: { written },
  })
}
