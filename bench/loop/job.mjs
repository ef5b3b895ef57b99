// The job that every peer does: deterministic, no clock, no randomness. A run asks for `calls` tool calls, one an
// answer, and ends with a text; so it has `calls + 1` turns.

const vocabulary =
  'folder stage contract draft reviewer evidence source summary outline chapter figure table quote margin note question answer deadline budget owner'.split(
    ' ',
  )

/** Text of exactly so many ASCII characters. */
export function words(length, seed) {
  let state = seed
  let text = ''
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647
    text += vocabulary[state % vocabulary.length] + (state % 11 === 0 ? '.\n' : ' ')
  }
  return text.slice(0, length)
}

export const system = `You work on one stage of a workspace.\n\n${words(4_058, 7)}`
export const user =
  process.env.BENCH_USER ?? 'Work on the item "alpha" with the tools, then sum up what you found.'
export const toolResult = words(2_048, 11)
export const finalText = `The end. ${words(512, 13)}`

const text = (description) => ({ type: 'string', description })
const count = (description) => ({ type: 'integer', description, minimum: 1, maximum: 200 })

/** The tools that are called, in turn, with the arguments of `callArguments`. */
const called = [
  [
    'read_document',
    'Reads a document of the workspace, whole or a range of lines.',
    { path: text('Path in the workspace'), from: count('First line'), to: count('Last line') },
  ],
  [
    'find_lines',
    'Finds the lines that match a pattern, with their files and numbers.',
    {
      pattern: text('Regular expression'),
      files: text('Glob of the files to look at'),
      limit: count('Most lines to return'),
    },
  ],
  [
    'list_folder',
    'Lists what a folder holds, with kinds and sizes.',
    {
      path: text('Path in the workspace'),
      kind: { type: 'string', description: 'What to list', enum: ['files', 'folders', 'all'] },
    },
  ],
  [
    'save_document',
    'Writes a document into the output folder of the stage.',
    { path: text('Path below output/'), content: text('The whole document') },
  ],
  [
    'fetch_page',
    'Reads a page of an allowed host as text.',
    {
      address: text('The address'),
      headings: { type: 'array', description: 'Only these sections', items: { type: 'string' } },
    },
  ],
]

export const callArguments = [
  { path: 'stages/02-draft/CONTEXT.md', from: 1, to: 80 },
  { pattern: '^## ', files: 'references/*.md', limit: 40 },
  { path: 'stages', kind: 'all' },
  { path: 'output/alpha.md', content: 'First line of the draft.\nSecond line of the draft.' },
  { address: 'http://docs.local/guide', headings: ['Setup', 'Limits'] },
]

export const calledNames = called.map(([name]) => name)

/** `number` tools, each `{ name, description, schema }`. */
export function tools(number) {
  const all = called.map(([name, description, properties]) => ({
    name,
    description,
    schema: { type: 'object', properties, required: [Object.keys(properties)[0]] },
  }))
  for (let index = all.length; index < number; index++) {
    const kind = vocabulary[index % vocabulary.length]
    all.push({
      name: `search_${kind}_${index}`,
      description: `Searches the ${kind} records of the connected service number ${index}. Use it only when the contract of the stage names them.`,
      schema: {
        type: 'object',
        properties: {
          query: text('What to look for, in plain words'),
          owner: text(`Whose ${kind} records to search`),
          tags: { type: 'array', description: 'All of these have to be set', items: { type: 'string' } },
          limit: count('Most records to return'),
          state: { type: 'string', description: 'Which records', enum: ['open', 'done', 'all'] },
          dry: { type: 'boolean', description: 'Only count, return nothing' },
        },
        required: ['query'],
      },
    })
  }
  return all.slice(0, number)
}
