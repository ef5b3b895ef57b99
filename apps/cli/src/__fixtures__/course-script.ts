import type { FakeChatBody, FakeOllamaAnswer } from '@icm/chat-model/testing'

/**
 * A model that plays the course pipeline by rule, from the request alone, so that an interrupted run and an
 * uninterrupted one get the same answers: objectives, three tool turns and notes, an outline, one text a module.
 */
export function courseScript(body: FakeChatBody): FakeOllamaAnswer {
  const task = body.messages.find((message) => message.role === 'user')?.content ?? ''
  if (body.tools !== undefined) return researchTurn(body)
  const module = /# The module to write now\s+## (.+)/.exec(task)?.[1]
  if (module !== undefined) return `## ${module}\n\nText of ${module}.\n\n\`\`\`bash\nollama list\n\`\`\``
  if (/^Plan the course/m.test(task)) return '```markdown\n## Module 1: Start\n- one\n\n## Module 2: Call\n- two\n\n## Module 3: Read\n- three\n```'
  return '1. Start the server, and check its answer.\n2. Call it, and check the text.\n3. Read JSON, and check the fields.\n4. Stop it, and check the memory.'
}

function researchTurn(body: FakeChatBody): FakeOllamaAnswer {
  const results = body.messages.filter((message) => message.role === 'tool').map((message) => message.content)
  const tool = (name: string) => body.tools?.find((offered) => offered.function.name.endsWith(name))?.function.name ?? name
  if (results.length === 0) return { toolCalls: [{ name: tool('search'), arguments: { query: 'default port' } }] }
  const address = /file:\S+\.(?:md|html)/.exec(results[0] ?? '')?.[0] ?? 'file:///library/none.md'
  // The second call comes as text, as it does with most small models.
  if (results.length === 1) return `\`\`\`json\n{"name": "${tool('fetch_snippet')}", "arguments": {"url": "${address}"}}\n\`\`\``
  if (results.length === 2) return { toolCalls: [{ name: tool('fetch_snippet'), arguments: { url: 'file:///library/made-up.md' } }] }
  return `## Start the server\n- The default port is 11434.\nSources: ${address}`
}
