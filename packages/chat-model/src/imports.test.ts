import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = dirname(fileURLToPath(import.meta.url))

/** Packages that an entry imports as soon as it is loaded; types and `import()` cost nothing then. */
function staticImports(file: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>()
  if (seen.has(file)) return found
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, isType, specifier = ''] of text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm,
  )) {
    if (isType !== undefined) continue
    if (!specifier.startsWith('.')) found.add(specifier)
    else
      for (const inner of staticImports(join(dirname(file), specifier.replace(/\.js$/, '.ts')), seen))
        found.add(inner)
  }
  return found
}

const own = ['@icm/errors', '@icm/json-schema']

it.each([
  'index.ts',
  'adapters/ollama.ts',
  'adapters/openai-compatible.ts',
  'adapters/llama.ts',
  'adapters/replay.ts',
  'testing/index.ts',
])('%s loads no vendor package, and no test runner', (entry) => {
  const foreign = [...staticImports(join(source, entry))].filter((name) => !name.startsWith('node:'))
  expect(foreign.filter((name) => !own.includes(name))).toEqual([])
})

it('the walk sees what there is to see', () => {
  expect([...staticImports(join(source, 'testing/conformance.ts'))]).toContain('vitest')
  expect([...staticImports(join(source, 'index.ts'))]).toEqual(expect.arrayContaining(own))
})
