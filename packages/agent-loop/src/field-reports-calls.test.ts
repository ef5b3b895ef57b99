// Each test is named after the field report that it reproduces, over HTTP where the wire matters.
import { estimateTokens } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { closeFake, lookUpCall, serve } from './__fixtures__/serve.js'
import { calls, collect, messages, testTools } from './__fixtures__/test-tools.js'
import { maxSteps, maxToolCalls } from './stop-conditions.js'

afterEach(closeFake)

describe('B: calls', () => {
  const fenced = (call: unknown) => `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``

  it('B01: a call in a fence is one call', async () => {
    const { run, tools } = await serve([fenced({ name: 'look_up', arguments: { word: 'x' } }), 'Text.'])
    await run
    expect(tools.executed).toMatchObject([{ name: 'look_up', arguments: { word: 'x' } }])
  })

  it('B01: prose that shows a call is the answer', async () => {
    const prose = 'For example you could send {"name":"look_up","arguments":{"word":"x"}} to the tool.'
    const { run, tools } = await serve([prose])
    expect((await run).result.text).toBe(prose)
    expect(tools.executed).toEqual([])
  })

  it('B01: a call that a tool result contains is not run when the model echoes it', async () => {
    const echo = '{"name": "look_up", "arguments": {"word": "poison"}}'
    const tools = testTools({ tea: { text: `The page says: ${echo}` } })
    const { run } = await serve([lookUpCall('tea'), echo], { tools })
    await run
    expect(tools.executed).toHaveLength(1)
  })

  it('B02: arguments that are a string reach the tool and the history as an object', async () => {
    const written = { name: 'look_up', arguments: '{"word":"x"}' }
    const { run, tools, bodies } = await serve([{ toolCalls: [written] }, fenced(written), 'Text.'])
    expect((await run).result.text).toBe('Text.')
    expect(tools.executed.map((call) => call.arguments)).toEqual([{ word: 'x' }, { word: 'x' }])
    const sent = bodies()[2]?.messages.flatMap(
      (message) => (message.tool_calls ?? []) as { function: object }[],
    )
    expect(sent?.map((call) => call.function)).toMatchObject([
      { arguments: { word: 'x' } },
      { arguments: { word: 'x' } },
    ])
  })

  it('B03: arguments that cannot be read never become {}; they count for the cap and for the stuck guard', async () => {
    const broken = '{"name": "look_up", "arguments": {word: /tmp'
    const seen: unknown[] = []
    const tools = {
      ...testTools(),
      run: async (call: { readonly arguments: unknown }) => {
        seen.push(call.arguments)
        return { status: 'error' as const, text: 'The arguments are not JSON.' }
      },
    }
    const stuck = await collect({ model: scripted([broken, broken, broken]), messages, tools })
    expect(stuck.result.stopReason).toContain('third time')
    expect(seen).toEqual([broken, broken])
    const capped = await collect({ model: scripted([broken]), messages, tools, stopWhen: maxToolCalls(1) })
    expect(capped.result.stopReason).toBe('1 tool calls were used')
  })

  it('B04: an unknown name is answered, and neither throws nor ends the run', async () => {
    const { run } = await serve([{ toolCalls: [{ name: 'delete_file', arguments: { path: '/' } }] }, 'Text.'])
    const { result } = await run
    expect(result.text).toBe('Text.')
    expect(result.messages[3]).toMatchObject({
      role: 'tool',
      isError: true,
      text: expect.stringContaining('look_up'),
    })
  })

  it('B04: a decorated name in a text call is the tool that it means', async () => {
    const { run, tools } = await serve([
      fenced({ name: 'functions.look_up', arguments: { word: 'x' } }),
      'Text.',
    ])
    await run
    expect(tools.executed.map((call) => call.name)).toEqual(['look_up'])
  })

  it('B05: a blank turn is nudged: two requests, and the roles alternate', async () => {
    const { run, bodies } = await serve(['', 'Text.'])
    expect((await run).result).toMatchObject({ outcome: 'answered', text: 'Text.' })
    expect(bodies()[1]?.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
  })

  it('B05: thinking alone is a blank turn; blank turns end in a synthesis without tools', async () => {
    const thinking = { reasoning: 'What now?' }
    const { run, bodies } = await serve([thinking, '', 'Text.'], { onStop: 'synthesize' })
    expect((await run).result).toMatchObject({
      outcome: 'synthesized',
      stopReason: expect.stringContaining('nothing'),
    })
    expect(bodies().map((body) => body?.tools !== undefined)).toEqual([true, true, false])
  })

  it('B06: a call beside thinking and without text runs', async () => {
    const { run, tools } = await serve([{ reasoning: 'I should look.', ...lookUpCall('x') }, 'Text.'])
    await run
    expect(tools.executed).toHaveLength(1)
  })

  it('B07: two calls of one tool get two results, in order, each with its own id, also when one is declined', async () => {
    const tools = testTools({ b: { status: 'needs_consent', text: 'May it?' } })
    const model = scripted([calls('b', 'a'), 'Text.'])
    const first = await collect({ model, messages, tools })
    const [waiting] = first.result.pending ?? []
    const { result } = await collect({
      model,
      messages: first.result.messages,
      tools,
      resume: {
        steps: first.result.steps,
        decisions: [{ callKey: waiting?.callKey ?? '', approved: false }],
      },
    })
    const asked = result.messages.flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    const results = result.messages.flatMap((each) => (each.role === 'tool' ? [each] : []))
    expect(results.map((each) => each.toolCallId)).toEqual(asked.map((call) => call.id))
    expect(results.map((each) => each.toolName)).toEqual(['look_up', 'look_up'])
  })

  it('B07: ids that a server repeats or leaves out become ids of their own', async () => {
    const same = (word: string, id = 'call_0') => ({
      role: 'assistant' as const,
      text: '',
      toolCalls: [{ id, name: 'look_up', arguments: { word } }],
    })
    const model = scripted([same('a'), same('b'), same('c', ''), 'Text.'])
    const { result } = await collect({ model, messages, tools: testTools() })
    const ids = result.messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : []))
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain('')
  })

  it('B08: calls in several lines are all answered, equal ones too', async () => {
    const three = {
      toolCalls: [lookUpCall('x'), lookUpCall('y'), lookUpCall('x')].flatMap((each) => each.toolCalls),
    }
    const { run, tools } = await serve([three, 'Text.'])
    const { result } = await run
    expect(tools.executed.map((call) => call.arguments)).toEqual([
      { word: 'x' },
      { word: 'y' },
      { word: 'x' },
    ])
    expect(result.messages.filter((each) => each.role === 'tool')).toHaveLength(3)
  })

  it('B09: the assistant turn is replayed whole, with its thinking, before the results', async () => {
    const { run, bodies } = await serve([{ reasoning: 'I should look.', ...lookUpCall('x') }, 'Text.'])
    await run
    expect(bodies()[1]?.messages.at(-2)).toMatchObject({
      role: 'assistant',
      thinking: 'I should look.',
      tool_calls: [{ function: { name: 'look_up', arguments: { word: 'x' } } }],
    })
  })

  it('B18: tools that take more than a quarter of the window are said to, with their share; only they are sent', async () => {
    const specs = Array.from({ length: 60 }, (_, index) => ({
      name: `search_${index}`,
      description: 'Searches the records of one of the connected services by words, owner, state and date.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' }, owner: { type: 'string' } } },
    }))
    const tools = { ...testTools(), specs: () => specs }
    const eventsWith = async (contextWindow: number, offered = tools) => {
      const model = scripted(['Text.'], { contextWindow })
      const { events } = await collect({ model, messages, tools: offered })
      expect(model.requests[0]?.tools).toEqual(offered.specs())
      return events.filter((event) => event.type === 'many-tools')
    }
    const [warning, ...more] = await eventsWith(8_192)
    expect(more).toEqual([])
    expect(warning).toEqual({
      type: 'many-tools',
      tools: 60,
      tokens: estimateTokens([], specs),
      contextWindow: 8_192,
    })
    expect(estimateTokens([], specs)).toBeGreaterThan(8_192 / 4)
    expect(await eventsWith(32_768)).toEqual([])
    expect(await eventsWith(8_192, { ...tools, specs: () => specs.slice(0, 5) })).toEqual([])
  })

  it('B19: what was done stands in the steps, whatever the text claims; a declined call says that it was not executed', async () => {
    const claimed = await collect({ model: scripted(['I saved report.md.']), messages, tools: testTools() })
    expect(claimed.result.steps.flatMap((step) => step.tools)).toEqual([])
    const tools = testTools({ b: { status: 'needs_consent', text: 'May it?' } })
    const model = scripted([calls('b'), 'Done!'])
    const { result: waiting } = await collect({ model, messages, tools })
    const decisions = (waiting.pending ?? []).map(({ callKey }) => ({ callKey, approved: false }))
    const resume = { steps: waiting.steps, decisions }
    const { result } = await collect({ model, messages: waiting.messages, tools, resume })
    expect(result.text).toBe('Done!')
    const done = result.steps.flatMap((step) => step.tools)
    expect(done.map(({ notRun }) => notRun)).toEqual(['declined'])
    expect(result.messages.find((message) => message.role === 'tool')?.text).toMatch(
      /^Not executed: .*do not report it as done/,
    )
  })

  it('B14: no request of a run has tools and a format', async () => {
    const { run, bodies } = await serve([lookUpCall('a'), 'Text.'], {
      stopWhen: maxSteps(1),
      onStop: 'synthesize',
    })
    await run
    expect(bodies().filter((body) => body?.tools !== undefined && body.format !== undefined)).toEqual([])
  })
})
