import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

function codesInSources(): string[] {
  const codes = ['contract-parser', 'context-loader'].flatMap((name) => {
    const folder = `${root}packages/${name}/src`
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap(
        (file) => readFileSync(`${folder}/${file}`, 'utf8').match(/'(?:contract|context)\/[a-z-]+'/g) ?? [],
      )
  })
  return [...new Set(codes.map((code) => code.slice(1, -1)))].sort()
}

it('docs/check.md explains every code, once, and no other', () => {
  const rows = readFileSync(`${root}docs/check.md`, 'utf8').matchAll(/^\| `([a-z]+\/[a-z-]+)` \|(.*)\|$/gm)
  const explained = [...rows].map(([, code = '', rest = '']) => ({ code, cells: rest.split(' | ') }))
  expect(explained.map(({ code }) => code).sort()).toEqual(codesInSources())
  for (const { code, cells } of explained) expect(cells.at(-1)?.trim(), code).not.toBe('')
})
