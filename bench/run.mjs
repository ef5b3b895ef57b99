// `npm run bench -- [parser] [loader] [tokens] [registry] [loop] [context] [cold]`: our packages against their peers, in the same process on the same data.
// Prints a table and ends with 1 when a target is missed. Peers are installed into this folder on first use.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const names = ['parser', 'loader', 'tokens', 'registry', 'loop', 'context', 'cold']

/** @typedef {{ name: string, value: string, target?: string, ok?: boolean }} Row */

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'))
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(2)
}
// The token estimate is a part of the loader.
const chosen = wanted.length === 0 ? names : wanted.includes('loader') ? [...wanted, 'tokens'] : wanted

if (!existsSync(`${folder}node_modules/marked/package.json`)) {
  console.error('Installing the peers into bench/node_modules (about 60 MB) ...')
  const options = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  const { status } = spawnSync('npm', options, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(1)
}

let missed = 0
for (const name of new Set(chosen)) {
  const { bench } = await import(`./${name}.mjs`)
  /** @type {{ about: string, rows: Row[] }} */
  const { about, rows } = await bench()
  console.log(`\n${name}: ${about}`)
  const width = Math.max(...rows.map((row) => row.name.length))
  for (const row of rows) {
    const verdict = row.ok === undefined ? '' : row.ok ? 'ok' : 'MISSED'
    if (row.ok === false) missed++
    console.log(
      `  ${row.name.padEnd(width)}  ${row.value.padStart(14)}  ${row.target ? `target ${row.target}` : ''}  ${verdict}`.trimEnd(),
    )
  }
}
console.log(`\nnode ${process.version}, ${missed === 0 ? 'all targets met' : `${missed} targets missed`}`)
process.exit(missed === 0 ? 0 : 1)
