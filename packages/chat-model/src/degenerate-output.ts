/**
 * Watches a streamed answer for the two ways in which constrained output gets stuck: white space without end, and one
 * short block over and over (field report B13). `push` returns what it saw, as a past-tense fact, or undefined.
 *
 * Limits: more than 200 characters of white space; a block of up to 60 characters at least 20 times in a row, over
 * at least 120 characters, so that a rule like `--------` is not taken for it.
 */
export function createDegenerationDetector(): (text: string) => string | undefined {
  let tail = ''
  let unchecked = 0
  return function push(text) {
    tail = (tail + text).slice(-longestTail)
    unchecked += text.length
    if (unchecked < checkEvery) return undefined
    unchecked = 0
    const space = tail.length - tail.trimEnd().length
    if (space > longestSpace) return `wrote ${space} characters of white space in a row`
    const block = repeatedBlock(tail)
    return block === undefined || block.trim() === ''
      ? undefined
      : `wrote ${JSON.stringify(block)} again and again`
  }
}

const longestSpace = 200
const longestBlock = 60
const fewestRepeats = 20
const shortestRun = 120
const longestTail = longestBlock * fewestRepeats + longestBlock
const checkEvery = 16

function repeatedBlock(tail: string): string | undefined {
  for (let length = 1; length <= longestBlock; length++) {
    const run = Math.max(length * fewestRepeats, shortestRun)
    if (run > tail.length) return undefined
    let index = tail.length - 1
    while (index >= tail.length - run + length && tail[index] === tail[index - length]) index--
    if (index < tail.length - run + length) return tail.slice(-length)
  }
  return undefined
}
