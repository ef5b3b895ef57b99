import { describe, expect, it } from 'vitest'
import { cleanOutput, closeFence, outputFault } from './clean-output.js'

describe('cleanOutput', () => {
  it.each([
    ['```markdown\n# Title\n\nText\n```', '# Title\n\nText'],
    ['```\n# Title\n```', '# Title'],
    ['~~~md\n# Title\n~~~', '# Title'],
    ['````markdown\n# T\n```bash\nls\n```\n````', '# T\n```bash\nls\n```'],
    ['```markdown\n# T\n```bash\nls\n```\nend\n```', '# T\n```bash\nls\n```\nend'],
    ['```markdown\n# T\n```\nls\n```\nend\n```', '# T\n```\nls\n```\nend'],
    ['```markdown\n# Cut off before the closing fence', '# Cut off before the closing fence'],
    ['```\n# Cut off, without a mark\n- a', '# Cut off, without a mark\n- a'],
    ['\n  1. One\n2. Two  \n', '1. One\n2. Two'],
  ])('unwraps %j', (answer, text) => {
    expect(cleanOutput(answer)).toBe(text)
  })

  it.each([
    ['a document that begins and ends with code', '```\nls\n```\ntext\n```\npwd\n```'],
    ['a code block alone', '```bash\nls\n```'],
    ['a fence in the middle', '# T\n\n```bash\nls\n```'],
    ['an unclosed code block', '```bash\nls'],
    ['an introduction before a fence', 'Here it is:\n```markdown\n# T\n```'],
  ])('leaves %s as it is', (_, answer) => {
    expect(cleanOutput(answer)).toBe(answer)
  })
})

describe('closeFence', () => {
  it.each([
    ['# T\n```bash\nls', '# T\n```bash\nls\n```'],
    ['~~~~\n```\nls', '~~~~\n```\nls\n~~~~'],
    ['```\nls\n```', '```\nls\n```'],
    ['Text.', 'Text.'],
  ])('of %j', (text, closed) => {
    expect(closeFence(text)).toBe(closed)
  })
})

describe('outputFault', () => {
  it.each([
    ['', 'the answer was empty'],
    ['<tool_response>\nx\n</tool_response>', 'the answer imitated a tool result'],
    ["I'm sorry, but I can't help with that.", 'the answer was a refusal'],
    ['{"name": "search", "arguments": {"query": "x"}}', 'the answer was a tool call, not a document'],
  ])('%j is none: %s', (text, fault) => {
    expect(outputFault(text)).toBe(fault)
  })

  it.each([
    '# Notes\n\n- a',
    'I cannot recommend this tool highly enough. '.repeat(20),
    'Sorry is a board game.',
  ])('%j is one', (text) => {
    expect(outputFault(text)).toBeUndefined()
  })
})
