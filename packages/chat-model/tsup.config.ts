import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/adapters/ollama.ts',
    'src/adapters/openai-compatible.ts',
    'src/adapters/llama.ts',
    'src/adapters/replay.ts',
    'src/testing/index.ts',
    'src/testing/conformance.ts',
  ],
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  clean: true,
})
