const fewestRepeats = 4
const shortestLine = 12

/**
 * The text before a line began to repeat itself (kept once), or undefined: four times the same line of at least
 * twelve characters in a row is a small model that got stuck, and it would go on to its token limit.
 */
export function cutRepeatedLines(text: string): string | undefined {
  const lines = text.split('\n')
  const filled = lines.map((line, index) => ({ line: line.trim(), index })).filter(({ line }) => line !== '')
  const last = filled.slice(-fewestRepeats)
  const [first] = last
  if (first === undefined || last.length < fewestRepeats || first.line.length < shortestLine) return undefined
  if (!last.every(({ line }) => line === first.line)) return undefined
  return lines.slice(0, first.index + 1).join('\n')
}
