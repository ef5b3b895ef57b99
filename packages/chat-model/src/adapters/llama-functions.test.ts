import { type ChatHistoryItem, QwenChatWrapper } from 'node-llama-cpp'
import { expect, it } from 'vitest'
import { adaptChatWrapper, toLlamaFunctions } from './llama-functions.js'

const tool = {
  name: 'search',
  description: 'Looks words up.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', pattern: '^[a-z]+$' },
      limit: { type: 'integer', minimum: 1, default: 5 },
    },
    required: ['query'],
  },
}

function prompt(chatHistory: ChatHistoryItem[]): string {
  const wrapper = adaptChatWrapper(new QwenChatWrapper())
  return wrapper
    .generateContextState({ chatHistory, availableFunctions: toLlamaFunctions([tool]) })
    .contextText.toString()
}

it('documents a tool by its whole schema, in the words of the model’s own template', () => {
  const shown = prompt([
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'Tea?' },
    { type: 'model', response: [] },
  ])
  const [, documented = ''] = /<tools>\n(.*)\n<\/tools>/.exec(shown) ?? []
  expect(JSON.parse(documented)).toEqual({
    type: 'function',
    function: { name: 'search', description: 'Looks words up.', parameters: tool.inputSchema },
  })
  expect(shown.endsWith('<|im_start|>user\nTea?<|im_end|>\n<|im_start|>assistant\n')).toBe(true)
})

it('shows results as they are, also several and with odd characters', () => {
  const results = ['two\nlines "quoted" \\ $& $1', '{"a": [1]}', '']
  const shown = prompt([
    { type: 'user', text: 'Tea?' },
    {
      type: 'model',
      response: results.map((result) => ({
        type: 'functionCall',
        name: 'search',
        params: { query: 'tea' },
        result,
      })),
    },
  ])
  const [first = '', second = ''] = results
  expect(shown).toContain(`<tool_response>\n${first}\n</tool_response>`)
  expect(shown).toContain(`<tool_response>\n${second}\n</tool_response>`)
  expect(shown).toContain('<tool_response>\n\n</tool_response>')
})
