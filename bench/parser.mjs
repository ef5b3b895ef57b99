import { marked } from 'marked'
import { parseContract, scanLines } from '../packages/contract-parser/dist/index.js'
import { contracts } from './contracts.mjs'
import { importMs, measure, shown } from './measure.mjs'

const averageCharacters = 2800

export async function bench() {
  const { source, texts } = contracts()
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const times = await measure({
    parseContract: () => texts.forEach((text) => void parseContract(text)),
    scanLines: () => texts.forEach((text) => void scanLines(text)),
    marked: () => texts.forEach((text) => void marked.lexer(text)),
  })
  const each = (/** @type {string} */ name) => ((times[name]?.best ?? 0) * averageCharacters) / characters
  const ratio = (times.marked?.best ?? 0) / (times.parseContract?.best ?? 1)
  const startMs = await importMs(
    new URL('../packages/contract-parser/dist/index.js', import.meta.url).pathname,
  )
  return {
    about: `${texts.length} contracts of ${source}, scaled to ${averageCharacters} characters; marked 18.2.1 lexes the same`,
    rows: [
      {
        name: 'parseContract',
        value: shown(each('parseContract')),
        target: '<= 30 µs',
        ok: each('parseContract') <= 30,
      },
      { name: 'of it scanLines', value: shown(each('scanLines')) },
      { name: 'marked.lexer', value: shown(each('marked')) },
      { name: 'times faster than marked', value: ratio.toFixed(2), target: '>= 4', ok: ratio >= 4 },
      { name: 'import', value: `${startMs.toFixed(1)} ms`, target: '<= 10 ms', ok: startMs <= 10 },
    ],
  }
}
