import { readFileSync } from 'node:fs'
import { format } from 'node:util'
import { expect, it } from 'vitest'
import * as packageItself from './index.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```\n(?:\n```\n([\s\S]*?)```)?/g)]

/** Runs an example as it stands there, with this package, at the root of the repository; what it prints. */
async function printed(code: string): Promise<string> {
  const root = new URL('../../../', import.meta.url).pathname
  const body = code
    .replace(/^import (\{[^}]*\}) from '@icm\/[\w-]+'$/gm, 'const $1 = packageItself')
    .replaceAll("'examples/", `'${root}examples/`)
  const lines: string[] = []
  const log = (...values: unknown[]) => lines.push(format(...values))
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  await new AsyncFunction('packageItself', 'console', body)(packageItself, { log })
  return lines.map((line) => `${line}\n`).join('')
}

it('the README has examples', () => {
  expect(examples.length).toBeGreaterThan(0)
})

it.each(examples.map(([, code = '', output = ''], index) => [index + 1, code, output] as const))(
  'example %i prints what the README shows',
  async (_, code, output) => {
    expect(await printed(code)).toBe(output)
  },
)
