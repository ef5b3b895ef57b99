/** The JSON in an answer, or why there is none. */
export type JsonAnswer = { readonly value: unknown } | { readonly problem: string }

/**
 * Finds the one JSON value of an answer: the whole text, what a fence encloses, or what stands between the first
 * opening and the last closing bracket (models without enforced schemas like to introduce it).
 */
export function parseJsonAnswer(text: string): JsonAnswer {
  const whole = text.trim()
  const fenced = /^[^{[]*?(?:^|\n)\s*(`{3,}|~{3,})[\w-]*\s*\n([\s\S]*?)\n\s*\1/.exec(whole)?.[2]
  const bracketed = /[{[][\s\S]*[}\]]/.exec(whole)?.[0]
  for (const candidate of [whole, fenced, bracketed]) {
    if (candidate === undefined) continue
    try {
      return { value: JSON.parse(candidate) as unknown }
    } catch {
      // the next candidate may be it
    }
  }
  return { problem: problemOf(fenced ?? bracketed ?? whole) }
}

function problemOf(text: string): string {
  if (text === '') return 'The answer is empty.'
  try {
    JSON.parse(text)
    return 'The answer is not JSON.'
  } catch (error) {
    return `The answer is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
