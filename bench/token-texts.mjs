// Texts to count tokens of, all from packages that this repository installs anyway.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const typescript = dirname(createRequire(join(root, 'package.json')).resolve('typescript/package.json'))
const store = join(root, 'node_modules/.pnpm')

/**
 * The compiler's messages in a language, some forty sentences a text.
 * @param {string} language
 */
function messages(language) {
  const file = join(typescript, 'lib', language, 'diagnosticMessages.generated.json')
  const sentences = Object.values(JSON.parse(readFileSync(file, 'utf8')))
  const texts = []
  for (let at = 0; at < sentences.length; at += 40) texts.push(sentences.slice(at, at + 40).join('\n'))
  return texts
}

/** @param {RegExp} name @param {number} most @param {number} depth */
function packageFiles(name, most, depth) {
  /** @type {string[]} */
  const found = []
  /** @param {string} folder @param {number} left */
  const walk = (folder, left) => {
    if (left === 0 || found.length >= most) return
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      if (found.length >= most) return
      const path = join(folder, entry.name)
      if (entry.isFile() && name.test(entry.name)) found.push(path)
      if (entry.isDirectory() && entry.name !== '.bin') walk(path, left - 1)
    }
  }
  walk(store, depth)
  return found
}

/** @param {readonly string[]} files @param {(text: string) => string} cut */
const textsOf = (files, cut) =>
  files.map((file) => cut(readFileSync(file, 'utf8'))).filter((text) => text.length >= 1500)

/** @param {string} text */
const tableRows = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n')

/**
 * Language or kind → texts of 1.5 to 8 KB.
 * @returns {Record<string, string[]>}
 */
export function tokenTexts() {
  const readmes = packageFiles(/^readme\.md$/i, 400, 4)
  return {
    English: textsOf(readmes, (text) => text.slice(0, 8000)).slice(0, 120),
    Polish: messages('pl'),
    Korean: messages('ko'),
    code: textsOf(packageFiles(/\.(?:mjs|cjs|js|ts)$/, 1500, 6), (text) => text.slice(0, 8000)).slice(0, 150),
    tables: textsOf(readmes, (text) => tableRows(text).slice(0, 8000)),
  }
}
