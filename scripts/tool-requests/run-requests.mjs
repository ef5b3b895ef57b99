// How a model's calls arrive and whether they are the right ones: the loop and the registry as everyone uses them, on
// tools that only note that they were executed.

/**
 * @typedef {{ user: string, expected: string, tools: { name: string, description: string, schema: { [key: string]: any } }[] }} ToolRequest
 * @typedef {{ user: string, expected: string, executed: string | undefined, how: 'native' | 'recovered' | 'none', failed: number, isRight: boolean }} RequestResult
 */

const system = 'Answer by calling the tool that fits the request.'
const mostTurns = 5

/**
 * One request: a run that ends with the first call that was really executed. It is right when that call was of the
 * expected tool, so a wrong tool does not count, whatever comes after it, and neither does a call that was refused.
 * @param {ToolRequest} request
 * @param {{ model: import('@icm/chat-model').ChatModel, loop: typeof import('@icm/agent-loop'), registry: typeof import('@icm/tool-registry'), maxOutputTokens?: number, onAnswer?: (text: string) => void, signal?: AbortSignal }} given
 * @returns {Promise<RequestResult>}
 */
export async function runRequest(
  request,
  { model, loop, registry, maxOutputTokens = 400, onAnswer, signal },
) {
  const { user, expected } = request
  const tools = registry.createToolRegistry({
    tools: request.tools.map(({ name, description, schema }) =>
      registry.defineTool({ name, description, input: schema, blastRadius: () => 0, run: () => 'Done.' }),
    ),
    session: { trust: 'host' },
  })
  /** @param {import('@icm/agent-loop').ToolStep} step */
  const isExecuted = ({ answer }) => answer.status === 'ok'
  const { steps } = await loop.runAgent({
    model,
    tools,
    messages: [
      { role: 'system', text: system },
      { role: 'user', text: user },
    ],
    stopWhen: [
      (run) => run.steps.some((step) => step.tools.some(isExecuted)) && 'a tool was executed',
      loop.maxSteps(mostTurns),
    ],
    temperature: 0,
    maxOutputTokens,
    ...(signal === undefined ? {} : { signal }),
    onEvent: (event) => {
      if (event.type === 'message-end') onAnswer?.(event.recoveredFrom ?? writtenOf(event.message))
      if (event.type === 'tool-end' && event.status !== 'ok') onAnswer?.(`  → ${event.text}`)
    },
  })
  const calls = steps.flatMap((step) => step.tools)
  const first = calls.find(isExecuted)
  // The registry's word: a decorated name is the tool that it means.
  const executed = /** @type {import('@icm/tool-registry').ToolOutcome | undefined} */ (first?.answer)
    ?.toolName
  return {
    user,
    expected,
    executed,
    how: first === undefined ? 'none' : first.recovered ? 'recovered' : 'native',
    failed: calls.filter((call) => !isExecuted(call)).length,
    isRight: executed === expected,
  }
}

/** @param {import('@icm/chat-model').AssistantMessage} message */
function writtenOf({ text, toolCalls = [] }) {
  return [text, ...toolCalls.map(({ name, arguments: given }) => `[${name} ${JSON.stringify(given)}]`)].join(
    '',
  )
}

/**
 * The results as a table with a line of totals.
 * @param {readonly RequestResult[]} results
 */
export function formatResults(results) {
  const rows = results.map(({ user, expected, executed = '–', how, failed, isRight }, index) => [
    String(index + 1).padStart(2),
    user.length > 44 ? `${user.slice(0, 43)}…` : user,
    expected,
    executed === expected ? '=' : executed,
    how,
    String(failed),
    isRight ? 'right' : 'WRONG',
  ])
  const head = ['#', 'request', 'expected', 'executed', 'came', 'refused', 'verdict']
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  /** @param {RequestResult['how']} how */
  const count = (how) => results.filter((result) => result.how === how).length
  const right = results.filter((result) => result.isRight).length
  const hows = /** @type {const} */ (['native', 'recovered', 'none'])
  const kinds = hows.map((how) => `${count(how)} ${how}`).join(', ')
  return `${lines.join('\n')}\n\n${kinds}; ${right} of ${results.length} right\n`
}
