// Reports files and functions that are longer than the house aims at. A report, not a gate: a limit that makes code
// worse is wrong. Exits with 1 only when a source file passes the hard stop.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const aim = { source: 250, test: 400 }
const hardStop = 400

const files = ['packages', 'apps', 'scripts', 'examples'].flatMap((group) =>
  readdirSync(join(root, group), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|mjs)$/.test(path) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(path))
    .map((path) => ({
      path: `${group}/${path}`,
      lines: readFileSync(join(root, group, path), 'utf8').split('\n').length - 1,
    })),
)
const isTest = (/** @type {{ path: string }} */ file) => /\.test\.(ts|mjs)$/.test(file.path)
const sources = files.filter((file) => !isTest(file)).sort((left, right) => left.lines - right.lines)
const at = (/** @type {number} */ share) => sources[Math.floor((sources.length - 1) * share)]?.lines
console.log(
  `${sources.length} source files: median ${at(0.5)} lines, 90 % have at most ${at(0.9)}, the longest ${at(1)}`,
)
for (const file of files) {
  if (file.lines > (isTest(file) ? aim.test : aim.source))
    console.log(`  long: ${file.path} (${file.lines} lines)`)
}
const tooLong = sources.filter((file) => file.lines > hardStop)
process.exit(tooLong.length === 0 ? 0 : 1)
