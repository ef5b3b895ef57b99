/** A part of an answer that may be calls from end to end; `payloads` are the insides of its fences. */
export interface CallRegion {
  readonly payloads: readonly string[]
}

/**
 * Where calls may stand in an answer: the whole of it (minus thinking and fences), or everything after a lead-in of
 * at most two short lines. Nothing may follow, and a lead-in that presents an example, quotes, forbids or
 * reports rules the answer out (field report B01).
 */
export function findCallRegions(answer: string): readonly CallRegion[] {
  const text = withoutStrayEnd(
    answer.replace(/^\s*(?:<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>\s*)+/, '').trim(),
  )
  if (text === '' || text.length > longestAnswer) return []
  const lines = text.split('\n')
  const regions: CallRegion[] = []
  const leadIn: string[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const rest = lines.slice(index)
    const fences = readFences(rest)
    regions.push({ payloads: fences ?? [rest.join('\n')] })
    const sameLine = fences === undefined ? splitAfterColon(rest) : undefined
    if (sameLine !== undefined && isLeadIn([...leadIn, sameLine.before]))
      regions.push({ payloads: [sameLine.after] })
    leadIn.push(line)
    if (!isLeadIn(leadIn)) break
  }
  return regions
}

/** Without an end mark of the chat template that nothing of the answer opens; small models write one behind a call. */
function withoutStrayEnd(text: string): string {
  const [end = '', name = ''] = /<\/(tool_response|tool_call)>$/.exec(text) ?? []
  return end === '' || text.includes(`<${name}>`) ? text : text.slice(0, -end.length).trimEnd()
}

// An answer of this size is a document; no call of ours is that long.
const longestAnswer = 100_000
const longestLeadIn = 300

function isLeadIn(lines: readonly string[]): boolean {
  const text = lines.join('\n')
  if (lines.length > 2 || text.length > longestLeadIn) return false
  return lines.every((line) => !documentLine.test(line)) && !noCallWords.test(text)
}

/** Headings, quotations, tables, lists, fences and brackets do not introduce a call; they belong to a document or to data. */
const documentLine = /^\s*(?:#|>|\||[-*+]\s|\d+[.)]\s|`{3}|~{3}|[{}[\]<])/

/** An example, a report of what something said, a quotation of an earlier call, or a warning against a call. */
const noCallWords = new RegExp(
  [
    String.raw`beispiel|\bz\.\s?b\.|exemp[lr]|ejemplo|esempio|voorbeeld|exempel|eksempel|przykład|příklad|пример|例えば|例如|示例|比如`,
    String.raw`\bexamples?\b|\be\.\s?g\.|\bfor instance\b|\bsuch as\b|\blike this\b|\blooks? like\b|\bsamples?\b`,
    String.raw`\byou (?:could|would|might|should|may)\b|\b(?:could|would|might) (?:be|call|look|send|use|write)\b|\bcan be\b`,
    String.raw`\bsyntax\b|\bformat\b|\bschema\b|\bdocumentation\b`,
    String.raw`\b(?:returns?|returned|responded|says|said|contains|contained|shows|showed|reads|wrote|printed)\b`,
    String.raw`\b(?:results?|outputs?|response)\s*(?:is|are|was|were|:)`,
    String.raw`\b(?:previous|previously|earlier|called|sent)\b`,
    String.raw`(?:\bnot|n't|\bnever|\bavoid|\binstead of|\bwithout)\s+(?:\w+\s+)?(?:call|us|send|run|execut|invok|writ)(?:e|ing|ting)?\b`,
  ].join('|'),
  'i',
)

/** The insides of fences that cover all the lines; a last fence may be unclosed. Undefined when there is other text. */
function readFences(lines: readonly string[]): readonly string[] | undefined {
  const payloads: string[] = []
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ''
    const open = /^\s*(`{3,}|~{3,})\s*[\w+-]*\s*$/.exec(line)
    const oneLine = open === null ? oneLineFence(line) : undefined
    if (oneLine !== undefined) payloads.push(oneLine)
    else if (open !== null) {
      const close = closingFence(lines, index + 1, open[1] ?? '')
      payloads.push(lines.slice(index + 1, close).join('\n'))
      index = close
    } else if (line.trim() !== '') return undefined
    index++
  }
  return payloads
}

/** A call between two marks on one line, also in single backticks. */
function oneLineFence(line: string): string | undefined {
  const text = line.trim()
  const mark = /^(?:`+|~{3,})/.exec(text)?.[0]
  if (mark === undefined || text.length <= 2 * mark.length || !text.endsWith(mark)) return undefined
  const inner = text.slice(mark.length, -mark.length)
  return inner.includes(mark) ? undefined : inner.replace(/^(?:json|tool_call)\b/, '').trim()
}

function closingFence(lines: readonly string[], start: number, fence: string): number {
  const mark = fence[0] ?? '`'
  for (let index = start; index < lines.length; index++) {
    const line = (lines[index] ?? '').trim()
    if (line.length >= fence.length && line === mark.repeat(line.length)) return index
  }
  return lines.length
}

/** `Calling the tool: {"name": …` – a lead-in and its call on one line. */
function splitAfterColon(lines: readonly string[]): { before: string; after: string } | undefined {
  const found = /^([^{[<]*:)\s*([{[<].*)$/.exec(lines[0] ?? '')
  if (found === null) return undefined
  return { before: found[1] ?? '', after: [found[2] ?? '', ...lines.slice(1)].join('\n') }
}
