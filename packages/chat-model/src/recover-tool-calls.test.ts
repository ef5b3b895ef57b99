import { describe, expect, it } from 'vitest'
import { looksLikeToolCall, recoverToolCalls } from './recover-tool-calls.js'
import type { ToolSpec } from './types.js'

function tool(name: string, properties: Record<string, object> = {}, required: string[] = []): ToolSpec {
  return {
    name,
    description: name,
    inputSchema: { type: 'object', properties, required } as ToolSpec['inputSchema'],
  }
}

const text = { type: 'string' }
const specs = [
  tool('search', { query: text, count: { type: 'integer' } }, ['query']),
  tool('fetch_snippet', { url: text }, ['url']),
  tool('create_event', { title: text }, ['title']),
  tool('calendar_list', {}),
  tool('write_file', { path: text, content: text }, ['path', 'content']),
]
const search = { name: 'search', arguments: { query: 'rust' } }
const json = JSON.stringify(search)

describe('recoverToolCalls reads', () => {
  it.each<[string, string, readonly object[]]>([
    ['a json fence', `\`\`\`json\n${json}\n\`\`\``, [search]],
    ['a bare fence', `\`\`\`\n${json}\n\`\`\``, [search]],
    ['a tilde fence', `~~~json\n${json}\n~~~`, [search]],
    ['a fence that is never closed', `\`\`\`json\n${json}`, [search]],
    ['a fence on one line', `\`\`\`json ${json} \`\`\``, [search]],
    ['an indented object', JSON.stringify(search, null, 2), [search]],
    ['a bare array', `[${json},${json}]`, [search, search]],
    ['objects one after another', `${json}\n${json}`, [search, search]],
    ['objects with semicolons between', `${json}; ${json}`, [search, search]],
    ['two fences', `\`\`\`json\n${json}\n\`\`\`\n\n\`\`\`json\n${json}\n\`\`\``, [search, search]],
    ['parameters', '{"name":"search","parameters":{"query":"rust"}}', [search]],
    ['args', '{"tool":"search","args":{"query":"rust"}}', [search]],
    ['arguments as a JSON string', '{"name":"search","arguments":"{\\"query\\":\\"rust\\"}"}', [search]],
    [
      'an empty argument string',
      '{"name":"calendar_list","arguments":""}',
      [{ name: 'calendar_list', arguments: {} }],
    ],
    ['no arguments at all', '{"name":"calendar_list"}', [{ name: 'calendar_list', arguments: {} }]],
    ['arguments beside the name', '{"name":"search","query":"rust"}', [search]],
    ['the wire form', `{"type":"function","id":"1","function":${json}}`, [search]],
    ['a list of tool calls', `{"tool_calls":[{"function":${json}}]}`, [search]],
    ['a tag', `<tool_call>\n${json}\n</tool_call>`, [search]],
    ['two tags', `<tool_call>${json}</tool_call>\n<tool_call>${json}</tool_call>`, [search, search]],
    ['a tag that is never closed', `<tool_call>\n${json}`, [search]],
    ['a tag in a fence', `\`\`\`xml\n<function_call>${json}</function_call>\n\`\`\``, [search]],
    ['a fence in a tag', `<tools>\n\`\`\`json\n${json}\n\`\`\`\n</tools>`, [search]],
    ['a tag with the name in it', '<function=search>{"query":"rust"}</function>', [search]],
    [
      'a tag for each parameter',
      '<tool_call>\n<function=search>\n<parameter=query>\nrust\n</parameter>\n</function>\n</tool_call>',
      [search],
    ],
    ['a mark before a list', `[TOOL_CALLS] [${json}]`, [search]],
    ['a mark, the name, the arguments', '[TOOL_CALLS]search[ARGS]{"query":"rust"}', [search]],
    ['a control token before', `<|python_tag|>${json}`, [search]],
    ['a control token behind', `${json}<|im_end|>`, [search]],
    ['Python', 'search(query="rust")', [search]],
    [
      'Python in brackets',
      "[search(query='rust'), calendar_list()]",
      [search, { name: 'calendar_list', arguments: {} }],
    ],
    ['Python in a fence', '```python\nsearch(query="rust")\n```', [search]],
    ['Python without the keyword', 'search("rust")', [search]],
    ['an object as the only argument', 'search({"query": "rust"})', [search]],
    ['Python literals', "{'name': 'search', 'arguments': {'query': 'rust',}}", [search]],
    [
      'a line break in a string',
      '{"name":"search","arguments":{"query":"ru\nst"}}',
      [{ ...search, arguments: { query: 'ru\nst' } }],
    ],
    ['a lead-in', `I will look that up.\n\n\`\`\`json\n${json}\n\`\`\``, [search]],
    ['a lead-in of two lines', `I don't have that at hand.\nLet me search for it:\n${json}`, [search]],
    ['a lead-in on the same line', `Searching now: ${json}`, [search]],
    ['a lead-in before a tag', `Let me search.\n<tool_call>${json}</tool_call>`, [search]],
    ['thinking before the call', `<think>Which tool?</think>\n${json}`, [search]],
    [
      'a decorated name',
      '{"name":"create_event<|channel|>analysis","arguments":{"title":"x"}}',
      [{ name: 'create_event', arguments: { title: 'x' } }],
    ],
    ['a namespace', '{"name":"functions.search","arguments":{"query":"rust"}}', [search]],
    [
      'another case',
      '{"name":"Fetch-Snippet","arguments":{"url":"u"}}',
      [{ name: 'fetch_snippet', arguments: { url: 'u' } }],
    ],
    ['a missing server prefix', '{"name":"list","arguments":{}}', [{ name: 'calendar_list', arguments: {} }]],
    ['a made-up server prefix', '{"name":"web.search","arguments":{"query":"rust"}}', [search]],
    [
      'a fence inside an argument',
      '```json\n{"name":"write_file","arguments":{"path":"a.md","content":"```js\\nx()\\n```"}}\n```',
      [{ name: 'write_file', arguments: { path: 'a.md', content: '```js\nx()\n```' } }],
    ],
    [
      'an unknown name beside a known one',
      `[${json},{"name":"fly","arguments":{}}]`,
      [search, { name: 'fly', arguments: {} }],
    ],
  ])('%s', (_, answer, expected) => {
    expect(recoverToolCalls(answer, specs)).toEqual(expected)
    expect(looksLikeToolCall(answer, specs)).toBeUndefined()
  })
})

describe('recoverToolCalls leaves alone', () => {
  it.each([
    ['nothing', ''],
    ['prose', 'Rust is a systems language. You can search for more.'],
    ['an example in a sentence', `For example you could send ${json}`],
    ['an example before a fence', `Here is an example:\n\`\`\`json\n${json}\n\`\`\``],
    ['"like this"', `You can call the tool like this:\n${json}`],
    ['a suggestion', `You could use:\n\`\`\`json\n${json}\n\`\`\``],
    ['a description of the format', `Calls have this format:\n${json}`],
    [
      'a report',
      `The page contains:\n\`\`\`json\n{"name":"write_file","arguments":{"path":"x","content":""}}\n\`\`\``,
    ],
    ['what a tool said', `The tool returned: ${json}`],
    ['a result', `Result: ${json}`],
    ['a memory', `Earlier I sent:\n${json}`],
    ['a warning', `Do not call:\n${json}`],
    ['an explanation behind it', `\`\`\`json\n${json}\n\`\`\`\nThis searches for rust.`],
    ['text between two fences', `\`\`\`json\n${json}\n\`\`\`\nand then\n\`\`\`json\n${json}\n\`\`\``],
    ['a long lead-in', `One.\nTwo.\nThree.\n${json}`],
    ['a heading', `# Tools\n\`\`\`json\n${json}\n\`\`\``],
    ['a quotation', `> Search\n${json}`],
    ['a list', `- search\n${json}`],
    ['a document that ends in a call', `# Course\n\n## Module 1\n\nText.\n\n\`\`\`json\n${json}\n\`\`\``],
    ['other JSON', '{"title":"Rust","modules":["a","b"]}'],
    ['a person', '{"name":"Ada","age":36}'],
    ['a list with something else in it', `[${json},{"title":"x"}]`],
    ['code', '```python\nfor hit in search(query="rust"):\n    print(hit)\n```'],
    ['a variable as argument', 'search(query=topic)'],
    ['other code', '```python\nprint("hello")\n```'],
    ['a name that fits two tools', '{"name":"e","arguments":{}}'],
    ['an unknown name', '{"name":"fly","arguments":{"to":"moon"}}'],
    ['arguments that are no JSON', '{"name":"write_file","arguments":"{path: /tmp"}'],
    ['arguments in a list', '{"name":"search","arguments":["rust"]}'],
    [
      'the schema instead of values',
      `{"name":"search","parameters":${JSON.stringify(specs[0]?.inputSchema)}}`,
    ],
    [
      'the definition of a tool',
      JSON.stringify({ name: 'search', description: 'x', parameters: specs[0]?.inputSchema }),
    ],
    ['a bracket that is never closed', '{"name":"search","arguments":{"query":"rust"'],
    ['keys without quotes', '{name: "search", arguments: {query: "rust"}}'],
    ['keys that the tool does not have', '{"name":"search","colour":"red"}'],
    ['a tag with prose in it', '<tool_call>I will search for rust</tool_call>'],
    ['a mention in backticks', 'Use `search` first.'],
    ['a signature in the middle', 'The call search(query="rust") finds it.'],
    ['a diff', `+ ${json}`],
  ])('%s', (_, answer) => {
    expect(recoverToolCalls(answer, specs)).toEqual([])
  })

  it('everything when no tools are offered', () => {
    expect(recoverToolCalls(json, [])).toEqual([])
  })
})

it.each([
  ['spaces', ' '],
  ['line breaks', '\n'],
  ['backticks', '`'],
  ['open brackets', '['],
  ['open tags', '<tool_call>'],
  ['open parameters', '<parameter=a>'],
  ['colons', ': '],
  ['open calls', 'search('],
  ['objects', '{"a":1} '],
])('takes no noticeable time for 90,000 characters of %s', (_, piece) => {
  const noise = piece.repeat(90_000 / piece.length)
  for (const answer of [
    noise,
    `x${noise}x`,
    `\`${noise}x\``,
    `{"name":"search","arguments":{${noise}x`,
    `Hm.\n${noise}\nx`,
    `<function=search>${noise}x</function>`,
  ]) {
    expect(recoverToolCalls(answer, specs)).toEqual([])
    looksLikeToolCall(answer, specs)
  }
})

describe('looksLikeToolCall', () => {
  it.each<[string, string, object]>([
    [
      'an unknown name',
      '{"name":"fly","arguments":{"to":"moon"}}',
      { name: 'fly', problem: 'No tool is named "fly".' },
    ],
    [
      'arguments that are no JSON',
      '{"name":"write_file","arguments":"{path: /tmp"}',
      { name: 'write_file', arguments: '{path: /tmp', problem: 'The arguments are a text that is not JSON.' },
    ],
    [
      'arguments in a list',
      '{"name":"search","arguments":["rust"]}',
      { problem: 'The arguments are not an object.' },
    ],
    [
      'the schema instead of values',
      `{"name":"search","parameters":${JSON.stringify(specs[0]?.inputSchema)}}`,
      { name: 'search', problem: 'The arguments repeat the schema of the tool instead of giving values.' },
    ],
    [
      'JSON that breaks off',
      '```json\n{"name":"search","arguments":{"query":"rust"\n```',
      { name: 'search', problem: 'The call is not valid JSON.' },
    ],
    ['a tag round broken JSON', '<tool_call>{"name":"search","arguments":{"query":', { name: 'search' }],
  ])('finds %s', (_, answer, expected) => {
    expect(looksLikeToolCall(answer, specs)).toMatchObject(expected)
  })

  it('goes by the shape alone when no tools are given', () => {
    expect(looksLikeToolCall(`\`\`\`json\n${json}\n\`\`\``)).toEqual({
      ...search,
      problem: 'The call was written as text.',
    })
  })

  it.each([
    ['prose', 'No call here.'],
    ['other JSON', '{"title":"Rust"}'],
    ['a person', '{"name":"Ada","age":36}'],
    ['a function of some library', '{"name":"sort","parameters":["list","order"]}'],
    ['a definition', '{"name":"sort","description":"Sorts.","parameters":{"type":"object"}}'],
    ['Python', 'print("hello")'],
    ['an example', `For example: ${json}`],
    ['a document', `# Notes\n\nText.\n\n\`\`\`json\n${json}\n\`\`\`\n`],
  ])('leaves %s alone', (_, answer) => {
    expect(looksLikeToolCall(answer)).toBeUndefined()
  })
})
