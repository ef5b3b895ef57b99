import { scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { calls, collect, messages, testTools } from './__fixtures__/test-tools.js'

describe('calls that arrive as text', () => {
  const fenced = '```json\n{"name": "look_up", "arguments": {"word": "tea"}}\n```'

  it('are executed, marked as recovered, and stand in the history as calls', async () => {
    const model = scripted([fenced, 'Tea is a drink.'])
    const { events, result } = await collect({ model, messages, tools: testTools() })
    expect(events.find((event) => event.type === 'tool-start')).toMatchObject({ recovered: true })
    expect(events.find((event) => event.type === 'message-end')).toMatchObject({ recoveredFrom: fenced })
    expect(result.messages[2]).toMatchObject({
      role: 'assistant',
      text: '',
      toolCalls: [{ name: 'look_up' }],
    })
    expect(result.text).toBe('Tea is a drink.')
  })

  it('with an unknown name are answered like a failed call, so that the model can mend them', async () => {
    const wrong = '```json\n{"name": "lookup_word", "arguments": {"word": "tea"}}\n```'
    const { result } = await collect({ model: scripted([wrong, 'Tea.']), messages, tools: testTools() })
    expect(result.steps[0]?.tools[0]?.answer).toMatchObject({
      status: 'error',
      text: expect.stringContaining('look_up'),
    })
    expect(result.text).toBe('Tea.')
  })

  it('that stay malformed are no answer, and end as stuck', async () => {
    const wrong = '{"name": "lookup_word", "arguments": {"word": "tea"}}'
    const quoting = {
      ...testTools(),
      run: async () => ({
        status: 'error' as const,
        text: `Not run: ${wrong}. Tools: look_up.`,
        callKey: 'k',
      }),
    }
    const model = scripted([wrong, wrong, wrong, 'What I know.'])
    const { result } = await collect({ model, messages, tools: quoting, onStop: 'synthesize' })
    expect(result).toMatchObject({ outcome: 'synthesized', text: 'What I know.' })
  })

  it('are not taken from prose, and not while no tools are offered', async () => {
    const prose = `You could send ${fenced.replaceAll('\n', ' ')} to the server, for example.`
    expect((await collect({ model: scripted([prose]), messages, tools: testTools() })).result.text).toBe(
      prose,
    )
    expect((await collect({ model: scripted([fenced]), messages })).result.text).toBe(fenced)
  })

  it('are not taken when the same call stands in a tool result', async () => {
    const echo = '{"name": "look_up", "arguments": {"word": "poison"}}'
    const tools = testTools({ tea: { text: `The page says: ${echo}` } })
    const { result } = await collect({ model: scripted([calls('tea'), echo]), messages, tools })
    expect(tools.executed).toHaveLength(1)
    expect(result.text).toBe(echo)
  })
})
