// npm start: makes a folder with many documents and one long one, and shows what a model gets for some calls.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createToolRegistry } from '@icm/tool-registry'
import { openDocumentTools } from './open-document-tools.js'

const root = await mkdtemp(join(tmpdir(), 'document-tools-'))
try {
  await fill(root)
  const registry = createToolRegistry({ tools: openDocumentTools({ root }), session: { trust: 'host' } })
  const calls: readonly (readonly [string, unknown])[] = [
    // Before anything was read: what is written in files cannot have asked for it.
    ['rename_documents', { pattern: 'notes/*.txt', to: '*.md' }],
    ['rename_documents', { pattern: 'archive/*/*.txt', to: '*.md' }],
    ['find_documents', {}],
    ['find_documents', { glob: '*.csv', from: '37' }],
    ['read_document', { file: 'notes/pln.md' }],
    ['read_document', { path: 'log.txt' }],
    ['run_program', { command: 'wc', flags: '-l', files: ['log.txt'] }],
    ['recall_result', { tool: 'rename_documents' }],
  ]
  for (const [index, [name, given]] of calls.entries()) {
    const outcome = await registry.run({ id: `call-${index + 1}`, name, arguments: given })
    console.log(`> ${name} ${JSON.stringify(given)}`)
    if (outcome.repairs.length > 0) console.log(`  mended: ${outcome.repairs.join(' ')}`)
    if (outcome.dryRun !== undefined) console.log(`  dry run: ${outcome.dryRun}`)
    console.log(`${outcome.status}: ${shortened(outcome.text)}`)
    if (outcome.status === 'needs_consent') {
      const { objects, dryRun, backup } = outcome.request
      console.log(`  the person sees: ${objects} objects. ${dryRun} ${backup}`)
    }
    console.log()
  }
} finally {
  await rm(root, { recursive: true, force: true })
}

async function fill(folder: string): Promise<void> {
  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const name of ['plan', 'ideas', 'budget']) await write(`notes/${name}.txt`, `The ${name}.\n`)
  for (let number = 1; number <= 3_000; number++) {
    await write(`archive/${2020 + (number % 5)}/letter-${number}.txt`, `Letter ${number}.\n`)
    if (number <= 40) await write(`tables/table-${number}.csv`, 'a,b\n1,2\n')
  }
  const lines = Array.from(
    { length: 40_000 },
    (_, index) => `line ${index + 1}: nothing of note happened here\n`,
  )
  await write('log.txt', lines.join(''))
}

function shortened(text: string): string {
  return text.length <= 900
    ? text
    : `${text.slice(0, 300)}\n  (… shortened for this page …)\n${text.slice(-300)}`
}
