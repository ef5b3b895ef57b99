import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  clean: true,
  // Its sources are TypeScript: an example has no build of its own to import.
  noExternal: ['@icm/document-tools'],
})
