// Contracts to parse: the corpus of foreign workspaces where it lies beside the repository, else ones made here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const corpus = `${process.env.ICM_SHARED ?? `${root}../shared`}/data/icm-corpus`

/** @returns {{ source: string, texts: string[] }} */
export function contracts() {
  if (!existsSync(corpus))
    return { source: 'made here', texts: Array.from({ length: 100 }, (_, index) => made(index)) }
  const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\d[^/]*\/CONTEXT\.md$/.test(name),
  )
  return { source: 'the corpus', texts: files.map((name) => readFileSync(`${corpus}/${name}`, 'utf8')) }
}

/**
 * A contract of about 2.8 KB in the commonest dialect.
 * @param {number} index
 */
function made(index) {
  const rows = ['brand', 'voice', 'notes', 'outline', 'facts'].map(
    (name, at) =>
      `| ${name} | \`../${at % 2 ? `0${at}-step/output` : '../shared'}/${name}-${index}.md\` | ${at === 1 ? '"Tone" and "Rules" sections' : 'Full file'} | What the ${name} says about this round of the work |`,
  )
  const steps = Array.from(
    { length: 14 },
    (_, at) =>
      `${at + 1}. Read what the ${at % 3 ? 'notes' : 'outline'} say about point ${at}, and write it down in one or two sentences.`,
  )
  const checks = ['Sources', 'Length', 'Tone', 'Order'].map(
    (name) => `| ${name} | every part has it, and no part has it twice |`,
  )
  return [
    `# Stage ${index}: writing`,
    'One paragraph about what this stage is for, so that a person who opens the folder knows it at once.',
    '## Inputs',
    ['| Source | File/Location | Section/Scope | Why |', '|---|---|---|---|', ...rows].join('\n'),
    '## Process',
    steps.join('\n'),
    '## Audit',
    ['| Check | Pass Condition |', '|---|---|', ...checks].join('\n'),
    '## Outputs',
    `| Artifact | Location | Format |\n|---|---|---|\n| Draft | \`output/draft-${index}.md\` | Markdown, one section for each point |`,
    '',
  ].join('\n\n')
}
