import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const packages = fileURLToPath(new URL('../../../', import.meta.url))

/** Bundles a program of this folder with the sources of this workspace; returns its path. */
export async function buildProgram(name: 'effect-program'): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'icm-effect-program-'))
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: [{ find: /^@icm\/([^/]+)$/, replacement: `${packages}$1/src/index.ts` }] },
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  })
  return join(outDir, 'program.mjs')
}
