import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))

/** `@icm/*` (and each subpath that a package exports) → its source, so that tests need no build. */
function sourceAliases() {
  const aliases: { find: RegExp; replacement: string }[] = []
  for (const group of ['packages', 'apps']) {
    for (const folder of readdirSync(`${root}${group}`)) {
      const manifest = JSON.parse(readFileSync(`${root}${group}/${folder}/package.json`, 'utf8'))
      for (const [subpath, target] of Object.entries<{ default?: string }>(manifest.exports ?? {})) {
        const built = typeof target === 'object' ? target.default : undefined
        if (!built?.startsWith('./dist/')) continue
        const name = (manifest.name + subpath.slice(1)).replaceAll('/', '\\/')
        const source = built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
        aliases.push({ find: new RegExp(`^${name}$`), replacement: `${root}${group}/${folder}/${source}` })
      }
    }
  }
  return aliases
}

export default defineConfig({
  resolve: { alias: sourceAliases() },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{packages,apps}/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/*.e2e.test.ts', '**/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['{packages,apps}/*/src/**/*.e2e.test.ts', 'examples/**/*.e2e.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['{packages,apps}/*/src/**/*.ts'],
      reporter: ['text', 'json-summary'],
    },
  },
})
