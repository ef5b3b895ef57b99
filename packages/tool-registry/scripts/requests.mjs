// What the scripts of this folder share: the requests of the leaderboard, and chance that can be repeated.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The lines of a file of the Berkeley Function Calling Leaderboard in ICM_SHARED. @param {string} name */
export function readLines(name) {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const path = `${process.env.ICM_SHARED ?? `${root}../shared`}/data/bfcl/${name}`
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** xorshift32. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
}
/** @template Value @param {readonly Value[]} list @param {() => number} random @returns {Value} */
export const pick = (list, random) => /** @type {Value} */ (list[Math.floor(random() * list.length)])
/** @template Value @param {readonly Value[]} list @param {() => number} random */
export function shuffle(list, random) {
  const shuffled = [...list]
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[shuffled[index], shuffled[other]] = [
      /** @type {Value} */ (shuffled[other]),
      /** @type {Value} */ (shuffled[index]),
    ]
  }
  return shuffled
}
