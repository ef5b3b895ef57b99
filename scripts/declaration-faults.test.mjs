import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { declarationFaults } from './declaration-faults.mjs'

/** @type {string} */
let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'icm-declarations-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const exports = { '.': { types: './dist/index.d.ts' }, './package.json': './package.json' }

/** @param {Record<string, string>} files */
const put = (files) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return new Set(Object.keys(files))
}

it('follows relative imports, in a circle too, and accepts what is a dependency', () => {
  const published = put({
    'dist/index.d.ts': `export { a } from './deep/a.js'\nimport type { Stats } from 'node:fs'\n`,
    'dist/deep/a.d.ts': `import type { B } from "../b.js"\nexport declare const a: import("zod").ZodType<B>\n`,
    'dist/b.d.ts': `import type { a } from './deep/a.js'\nimport type { E } from '@icm/errors/x'\n`,
  })
  const manifest = { exports, dependencies: { zod: '4' }, peerDependencies: { '@icm/errors': '0' } }
  expect(declarationFaults(folder, manifest, published)).toEqual([])
})

it('names what a consumer would not find', () => {
  put({ 'dist/secret.d.ts': 'export {}' })
  const published = put({
    'dist/index.d.ts': `export * from './secret.js'\nexport * from './gone.js'\nexport { a } from './a.js'`,
    'dist/a.d.ts': `import type A from 'zod'\nimport type { T } from 'turndown'`,
    'dist/unreached.d.ts': `export * from './nowhere.js'`,
  })
  const manifest = {
    exports,
    dependencies: { turndown: '7' },
    devDependencies: { '@types/turndown': '5', zod: '4' },
  }
  expect(declarationFaults(folder, manifest, published).sort()).toEqual([
    'dist/a.d.ts imports turndown: not in its dependencies',
    'dist/a.d.ts imports zod: not in its dependencies',
    'dist/gone.d.ts is not published',
    'dist/secret.d.ts is not published',
  ])
})

it('refuses a package without types', () => {
  expect(declarationFaults(folder, { exports: {} }, new Set())).toEqual(['exports names no types'])
})
