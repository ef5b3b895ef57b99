const longestCycle = 6
const fewestRounds = 3
const shortestRound = 24

/**
 * The text before its lines began to repeat (one round kept), or undefined: three times the same one to six lines in
 * a row, list numbers aside, is a small model that got stuck, and it would go on to its token limit.
 */
export function cutRepeatedLines(text: string): string | undefined {
  const lines = text.split('\n')
  const filled = lines
    .map((line, index) => ({ line: line.trim().replace(/^(?:[-*+]|\d+[.)])\s+/, ''), index }))
    .filter(({ line }) => line !== '')
  for (let length = 1; length <= longestCycle; length++) {
    const tail = filled.slice(-length * fewestRounds)
    if (tail.length < length * fewestRounds) return undefined
    const round = tail.slice(0, length)
    const last = round.at(-1)
    const size = round.reduce((sum, { line }) => sum + line.length, 0)
    if (size < shortestRound || last === undefined) continue
    if (tail.every(({ line }, at) => line === round[at % length]?.line))
      return lines.slice(0, last.index + 1).join('\n')
  }
  return undefined
}
