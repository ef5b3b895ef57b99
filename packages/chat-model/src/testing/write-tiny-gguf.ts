import { writeFile } from 'node:fs/promises'

export interface TinyModel {
  /**
   * What the model says after a line break (the end of a prompt): each token is followed by the next one. A token
   * is one character or a special token such as `<tool_call>`; none may stand twice, because the model only knows
   * which token follows which.
   */
  readonly says: readonly string[]
  /** What follows the last of `says`: the end of the answer (default), or that token again and so on for ever. */
  readonly atEnd?: 'end' | 'again'
}

const specialTokens = [
  '<|im_start|>',
  '<|im_end|>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
  // One token, because the quote in it is followed by something else than the quotes around it.
  '{"name": "',
]
const unknownToken = 0
const firstByteToken = 1
const spaceToken = firstByteToken + 256
const firstSpecialToken = spaceToken + 1
const vocabularySize = firstSpecialToken + specialTokens.length
/** As wide as the vocabulary, so that every token has a direction of its own; a multiple of 32. */
const width = Math.ceil(vocabularySize / 32) * 32
const headWidth = 16
const feedForwardWidth = 32

/**
 * Writes a GGUF file of about 0.4 MB that llama.cpp loads as a chat model with Qwen's format. Its attention and
 * feed-forward weights are zero, and its embedding and output matrices are made by hand, so that each token decides
 * the next one: tests of loading, streaming, grammar, tool calls and aborts need no weights from anywhere.
 */
export async function writeTinyGguf(path: string, model: TinyModel): Promise<void> {
  const tensors = tensorsOf(model)
  const parts: Buffer[] = [header(tensors)]
  parts.push(padding(size(parts)))
  for (const tensor of tensors) parts.push(tensor.data, padding(tensor.data.length))
  await writeFile(path, Buffer.concat(parts))
}

function tokensOf(text: string): readonly number[] {
  const special = specialTokens.indexOf(text)
  if (special >= 0) return [firstSpecialToken + special]
  if (text === ' ') return [spaceToken]
  return [...Buffer.from(text)].map((byte) => firstByteToken + byte)
}

function tokenOf(text: string): number {
  return tokensOf(text)[0] ?? unknownToken
}

/** For every token the one that follows it. */
function followers({ says, atEnd = 'end' }: TinyModel): ReadonlyMap<number, number> {
  const chain = says.flatMap(tokensOf)
  const end = tokenOf('<|im_end|>')
  const next = new Map<number, number>()
  let previous = tokenOf('\n')
  for (const token of chain) {
    next.set(previous, token)
    previous = token
  }
  next.set(previous, atEnd === 'end' ? end : (chain[0] ?? end))
  // Outside the chain an answer ends after a special token; elsewhere a quote follows, so that strings of a grammar end.
  for (let token = 0; token < vocabularySize; token++) {
    if (!next.has(token)) next.set(token, token >= firstSpecialToken ? end : tokenOf('"'))
  }
  return next
}

interface Tensor {
  readonly name: string
  readonly shape: readonly number[]
  readonly data: Buffer
}

const float32 = 0

function tensorsOf(model: TinyModel): readonly Tensor[] {
  const embedding = new Float32Array(width * vocabularySize)
  const output = new Float32Array(width * vocabularySize)
  for (const [token, follower] of followers(model)) {
    embedding[token * width + token] = 1
    output[follower * width + token] = 1
  }
  const matrix = (name: string, shape: readonly number[], values?: Float32Array): Tensor => {
    const filled = values ?? new Float32Array(shape.reduce((product, length) => product * length, 1))
    return { name, shape, data: Buffer.from(filled.buffer) }
  }
  const ones = (name: string) => matrix(name, [width], new Float32Array(width).fill(1))
  return [
    matrix('token_embd.weight', [width, vocabularySize], embedding),
    matrix('output.weight', [width, vocabularySize], output),
    ones('output_norm.weight'),
    ones('blk.0.attn_norm.weight'),
    matrix('blk.0.attn_q.weight', [width, headWidth]),
    matrix('blk.0.attn_k.weight', [width, headWidth]),
    matrix('blk.0.attn_v.weight', [width, headWidth]),
    matrix('blk.0.attn_output.weight', [headWidth, width]),
    ones('blk.0.ffn_norm.weight'),
    matrix('blk.0.ffn_gate.weight', [width, feedForwardWidth]),
    matrix('blk.0.ffn_up.weight', [width, feedForwardWidth]),
    matrix('blk.0.ffn_down.weight', [feedForwardWidth, width]),
  ]
}

/** The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const alignment = 32

function header(tensors: readonly Tensor[]): Buffer {
  const metadata = metadataOf()
  const parts = [Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(metadata.length), ...metadata]
  let offset = 0
  for (const { name, shape, data } of tensors) {
    parts.push(string(name), uint32(shape.length), ...shape.map(uint64), uint32(float32), uint64(offset))
    offset += data.length + padding(data.length).length
  }
  return Buffer.concat(parts)
}

/** Roles between ChatML marks, tools as JSON in the system text, calls and results between their own tags. */
const chatTemplate = `
{%- set system = messages[0].content if messages[0].role == 'system' else '' %}
{%- if system or tools %}
  {{- '<|im_start|>system\\n' + system }}
  {%- for tool in tools or [] %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
  {{- '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
  {%- if message.role == 'tool' %}
    {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
  {%- elif message.role == 'user' %}
    {{- '<|im_start|>user\\n' + message.content + '<|im_end|>\\n' }}
  {%- elif message.role == 'assistant' %}
    {{- '<|im_start|>assistant\\n' + (message.content or '') }}
    {%- for call in message.tool_calls or [] %}
      {{- '<tool_call>{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`

// Token types of llama.cpp: 1 normal, 2 unknown, 3 control, 4 defined by a user, 6 a byte.
const tokenTypes = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 }

function metadataOf(): readonly Buffer[] {
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  )
  const tokens = ['<unk>', ...bytes, '▁', ...specialTokens]
  const types = tokens.map((token, index) => {
    if (index === unknownToken) return tokenTypes.unknown
    if (index < spaceToken) return tokenTypes.byte
    if (index === spaceToken) return tokenTypes.normal
    return token.startsWith('<|') ? tokenTypes.control : tokenTypes.userDefined
  })
  return [
    entry('general.architecture', string('llama'), 8),
    entry('general.name', string('tiny'), 8),
    entry('llama.context_length', uint32(4096), 4),
    entry('llama.embedding_length', uint32(width), 4),
    entry('llama.block_count', uint32(1), 4),
    entry('llama.feed_forward_length', uint32(feedForwardWidth), 4),
    entry('llama.attention.head_count', uint32(1), 4),
    entry('llama.attention.head_count_kv', uint32(1), 4),
    entry('llama.attention.key_length', uint32(headWidth), 4),
    entry('llama.attention.value_length', uint32(headWidth), 4),
    entry('llama.rope.dimension_count', uint32(headWidth), 4),
    entry('llama.attention.layer_norm_rms_epsilon', float(1e-6), 6),
    entry('tokenizer.ggml.model', string('llama'), 8),
    entry('tokenizer.ggml.tokens', list(8, tokens.map(string)), 9),
    entry(
      'tokenizer.ggml.scores',
      list(
        6,
        tokens.map(() => float(0)),
      ),
      9,
    ),
    entry('tokenizer.ggml.token_type', list(5, types.map(uint32)), 9),
    entry('tokenizer.ggml.unknown_token_id', uint32(unknownToken), 4),
    entry('tokenizer.ggml.eos_token_id', uint32(tokenOf('<|im_end|>')), 4),
    entry('tokenizer.chat_template', string(chatTemplate), 8),
    entry('tokenizer.ggml.add_bos_token', Buffer.from([0]), 7),
    entry('tokenizer.ggml.add_space_prefix', Buffer.from([0]), 7),
  ]
}

function entry(key: string, value: Buffer, type: number): Buffer {
  return Buffer.concat([string(key), uint32(type), value])
}

function list(type: number, values: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(type), uint64(values.length), ...values])
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([uint64(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

function uint64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

function float(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeFloatLE(value)
  return buffer
}

function padding(length: number): Buffer {
  return Buffer.alloc((alignment - (length % alignment)) % alignment)
}

function size(parts: readonly Buffer[]): number {
  return parts.reduce((total, part) => total + part.length, 0)
}
