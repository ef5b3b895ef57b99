/** One key of `icm.config.toml`. The table is the single source of the reader's checks and of the reference. */
export interface ConfigKey {
  readonly section: string
  readonly key: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly default?: string | number | boolean
  readonly description: string
}

export const configKeys: readonly ConfigKey[] = [
  {
    section: 'model',
    key: 'provider',
    type: 'string',
    values: ['auto', 'ollama', 'openai-compatible', 'llama'],
    default: 'auto',
    description:
      'auto: Ollama if it answers, else the embedded engine if a model file is there; openai-compatible: the server of base_url.',
  },
  {
    section: 'model',
    key: 'name',
    type: 'string',
    default: 'qwen3.5:9b',
    description:
      'Model on the server. Without this key and without that model, auto takes a tool-capable one that is there, and openai-compatible the first.',
  },
  {
    section: 'model',
    key: 'host',
    type: 'string',
    description: 'Ollama server; OLLAMA_HOST and --host win over it.',
  },
  {
    section: 'model',
    key: 'base_url',
    type: 'string',
    description: 'Address of an OpenAI-compatible server, with its /v1; --host wins over it.',
  },
  {
    section: 'model',
    key: 'api_key_env',
    type: 'string',
    description: 'Environment variable that holds the key of that server.',
  },
  { section: 'model', key: 'model_path', type: 'string', description: 'GGUF file for the embedded engine.' },
  {
    section: 'model',
    key: 'temperature',
    type: 'number',
    minimum: 0,
    default: 0.1,
    description: 'Sampling temperature.',
  },
  { section: 'model', key: 'seed', type: 'integer', description: 'Sampling seed.' },
  {
    section: 'model',
    key: 'thinking',
    type: 'boolean',
    default: false,
    description:
      'Let models think that can. An OpenAI-compatible server decides about it unless this key is there.',
  },
  {
    section: 'model',
    key: 'context_window',
    type: 'integer',
    minimum: 512,
    default: 8192,
    description: 'Tokens that prompt and answer share; at most what the model was made for.',
  },
  {
    section: 'model',
    key: 'parallel',
    type: 'integer',
    minimum: 1,
    default: 1,
    description:
      'Calls that a server gets at the same time; others wait, and their limits of time do not run.',
  },
  {
    section: 'model',
    key: 'max_output_tokens',
    type: 'integer',
    minimum: 16,
    default: 2048,
    description: 'Tokens of one answer.',
  },
  {
    section: 'model',
    key: 'max_item_tokens',
    type: 'integer',
    minimum: 16,
    description: 'Tokens of one answer about one item of a For each; max_output_tokens without it.',
  },
  {
    section: 'search',
    key: 'backend',
    type: 'string',
    values: ['auto', 'folder'],
    default: 'auto',
    description: 'folder: full-text search over the library. auto takes it, and says so.',
  },
  {
    section: 'search',
    key: 'library',
    type: 'string',
    default: 'library',
    description: 'Folder of documents, relative to this file.',
  },
  {
    section: 'browser',
    key: 'backend',
    type: 'string',
    values: ['auto', 'http'],
    default: 'auto',
    description: 'http: plain HTTP and the files of the library. auto takes it, and says so.',
  },
  {
    section: 'workflow',
    key: 'max_tool_calls',
    type: 'integer',
    minimum: 1,
    default: 12,
    description: 'Tool calls of one turn of a stage; then the output is written.',
  },
  {
    section: 'workflow',
    key: 'max_turns',
    type: 'integer',
    minimum: 1,
    default: 16,
    description: 'Model answers of one turn of a stage.',
  },
  {
    section: 'workflow',
    key: 'max_minutes',
    type: 'number',
    minimum: 0,
    default: 60,
    description: 'Minutes of tool use in one turn of a stage.',
  },
  {
    section: 'servers.*',
    key: 'command',
    type: 'string',
    description: 'Program of an MCP server that talks over stdio.',
  },
  {
    section: 'servers.*',
    key: 'annotations_trusted',
    type: 'boolean',
    default: false,
    description: "Believe the server's own hints about its tools.",
  },
]

/** Keys of `[servers.<name>]` that are lists or tables. */
export const serverListKeys = { args: 'list of strings', env: 'table of strings', tools: 'table' } as const

/** The values that `[servers.<name>.tools.<tool>] effect` may have. */
export const toolEffects = ['read', 'write'] as const
