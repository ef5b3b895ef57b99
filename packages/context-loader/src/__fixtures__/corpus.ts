import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryFiles } from '../memory-files.js'
import type { WorkspaceFiles } from '../types.js'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
/** The corpus of foreign workspaces; it lies beside the repository, and tests without it are skipped by name. */
export const corpus = `${process.env.ICM_SHARED ?? `${repository}../shared`}/data/icm-corpus`

/** A repository of the corpus in memory: its markdown, and every other file of its TREE.txt with a word in it. */
export function corpusRepository(name: string): { files: WorkspaceFiles; workspaces: readonly string[] } {
  const record: { [path: string]: string | Uint8Array } = { '/repo/.git/HEAD': 'x' }
  for (const line of readFileSync(`${corpus}/${name}/TREE.txt`, 'utf8').split('\n')) {
    if (line.trim() !== '') record[`/repo/${line.trim().replace(/^\.\//, '')}`] = 'there\n'
  }
  for (const path of readdirSync(`${corpus}/${name}`, { recursive: true, encoding: 'utf8' })) {
    const place = `${corpus}/${name}/${path}`
    if (!statSync(place).isFile()) continue
    const bytes = readFileSync(place)
    record[`/repo/${path}`] = bytes.length === 0 ? 'there\n' : bytes
  }
  const contracts = Object.keys(record).filter((path) => /\/\d+[a-z]?[-_. ][^/]*\/CONTEXT\.md$/.test(path))
  const folders = contracts.map((path) => dirname(dirname(path)).replace(/\/(?:stages|pipeline)$/, ''))
  return { files: memoryFiles(record), workspaces: [...new Set(folders)] }
}

/** The repositories of the corpus. */
export function corpusNames(): readonly string[] {
  return readdirSync(corpus).filter((name) => existsSync(`${corpus}/${name}/TREE.txt`))
}
