import { parseArgs } from 'node:util'
import { ToolAblationError } from './errors.js'
import { fewestTools, mostTools } from './tool-set.js'

export interface ProgramOptions {
  readonly models: readonly string[]
  readonly provider: 'ollama' | 'llama'
  readonly host: string | undefined
  readonly counts: readonly number[]
  readonly repeats: number
  readonly contextWindow: number
  readonly out: string
  readonly confusions: boolean
  readonly maxMinutes: number | undefined
}

export const usage = `npm start -- --model qwen2.5-coder:0.5b [options]

  --model <name>         a model of the server; several times for several models. With --provider llama a GGUF file
  --tools <numbers>      how many tools to offer, ${fewestTools} to ${mostTools}; default 5,10,15,25,40
  --repeats <number>     other orders and other decoys each time; default 3
  --provider <name>      ollama (default) or llama: the engine inside this program
  --host <address>       of Ollama; default OLLAMA_HOST, else this machine
  --context-window <n>   tokens that prompt and answer share, the same in every request; default 16384
  --out <folder>         results, table and plot; default ./results. What is there already is not asked again
  --max-minutes <n>      stops after this time; the same call goes on later
  --confusions           also writes which tools were taken for others, and what can be done
`

/** Reads the command line; undefined when help is wanted. Throws `ablation/bad-option`. */
export function readOptions(words: readonly string[]): ProgramOptions | undefined {
  const { values } = parse(words)
  if (values.help) return undefined
  const models = values.model ?? []
  if (models.length === 0) throw badOption('No model was named.', 'Add --model <name>.')
  const { provider } = values
  if (provider !== 'ollama' && provider !== 'llama')
    throw badOption(`--provider was ${provider}.`, 'Use ollama or llama.')
  return {
    models: [...new Set(models)],
    provider,
    host: values.host,
    counts: [
      ...new Set(values.tools.split(',').map((word) => wholeNumber('--tools', word, fewestTools, mostTools))),
    ],
    repeats: wholeNumber('--repeats', values.repeats, 1, 100),
    contextWindow: wholeNumber('--context-window', values['context-window'], 1024, 10_000_000),
    out: values.out,
    confusions: values.confusions,
    maxMinutes:
      values['max-minutes'] === undefined
        ? undefined
        : wholeNumber('--max-minutes', values['max-minutes'], 1, 10_000),
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        model: { type: 'string', multiple: true },
        tools: { type: 'string', default: '5,10,15,25,40' },
        repeats: { type: 'string', default: '3' },
        provider: { type: 'string', default: 'ollama' },
        host: { type: 'string' },
        'context-window': { type: 'string', default: '16384' },
        out: { type: 'string', default: 'results' },
        'max-minutes': { type: 'string' },
        confusions: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    })
  } catch (error) {
    throw badOption(
      error instanceof Error ? error.message.replace(/(?:\. .*|)$/s, '.') : String(error),
      'See --help.',
    )
  }
}

function wholeNumber(option: string, word: string, least: number, most: number): number {
  const value = Number(word)
  if (word.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value
  throw badOption(`${option} was ${JSON.stringify(word)}.`, `Use whole numbers from ${least} to ${most}.`)
}

function badOption(what: string, instead: string): ToolAblationError {
  return new ToolAblationError({ code: 'ablation/bad-option', what, why: '', instead })
}
