const longestCycle = 6
const fewestRounds = 3
const shortestRound = 24

interface Line {
  readonly text: string
  /** Where it ends in the whole text, its line break not included. */
  readonly end: number
}

/**
 * Watches a streamed text for lines that began to repeat: three times the same one to six lines in a row, list numbers
 * aside, is a small model that got stuck, and it would go on to its token limit. The function takes each piece and
 * returns how many characters of the text to keep (one round), or undefined. Only whole lines are looked at.
 */
export function createRepetitionWatch(): (piece: string) => number | undefined {
  const recent: Line[] = []
  let unfinished = ''
  let length = 0
  return function push(piece) {
    length += piece.length
    unfinished += piece
    if (!piece.includes('\n')) return undefined
    const lines = unfinished.split('\n')
    let start = length - unfinished.length
    unfinished = lines.pop() ?? ''
    for (const line of lines) {
      const text = line.trim().replace(/^(?:[-*+]|\d+[.)])\s+/, '')
      const end = start + line.length
      start = end + 1
      if (text === '') continue
      recent.push({ text, end })
      if (recent.length > longestCycle * fewestRounds) recent.shift()
      const kept = endOfFirstRound(recent)
      if (kept !== undefined) return kept
    }
    return undefined
  }
}

function endOfFirstRound(lines: readonly Line[]): number | undefined {
  for (let length = 1; length <= longestCycle; length++) {
    const tail = lines.slice(-length * fewestRounds)
    if (tail.length < length * fewestRounds) return undefined
    const round = tail.slice(0, length)
    const size = round.reduce((sum, { text }) => sum + text.length, 0)
    if (size < shortestRound) continue
    if (tail.every(({ text }, at) => text === round[at % length]?.text)) return round.at(-1)?.end
  }
  return undefined
}
