import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  checkWorkspace,
  loadStage,
  nodeFiles,
  openWorkspace,
  snapshotWorkspace,
} from '../packages/context-loader/dist/index.js'
import { importMs, measure, shown } from './measure.mjs'

const filesInStage = 100
const manyStages = 1000
const manyReferences = 10_000

const paragraph =
  'A reference says what holds in every run: the words to use, the length of a part, and what a reader already knows.\n'

export async function bench() {
  const root = mkdtempSync(join(tmpdir(), 'icm-bench-'))
  try {
    const paths = oneStage(join(root, 'one'))
    many(join(root, 'many'))
    // What has been written within the last two seconds is never taken for unchanged.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    return {
      about: `${filesInStage} references of 2.7 KB in one stage; ${manyStages} stages with ${manyReferences} references`,
      rows: [...(await one(join(root, 'one'), paths)), ...(await whole(join(root, 'many')))],
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** @param {string} root @param {readonly string[]} paths */
async function one(root, paths) {
  const warm = await openWorkspace(root)
  await loadStage(warm, 1)
  const files = nodeFiles()
  const times = await measure(
    {
      readFileSync: () => paths.map((path) => readFileSync(path, 'utf8')).join('\n\n').length,
      // A workspace that has not been loaded before remembers nothing.
      cold: async () => (await loadStage({ ...warm, stages: [...warm.stages], files }, 1)).system.length,
      coldWithHashes: async () =>
        (await loadStage({ ...warm, stages: [...warm.stages], files }, 1)).parts.map((part) => part.sha256)
          .length,
      coldWithTokens: async () => (await loadStage({ ...warm, stages: [...warm.stages], files }, 1)).tokens,
      reload: async () => (await loadStage(warm, 1)).system.length,
    },
    { rounds: 100 },
  )
  const plain = times.readFileSync?.best ?? 1
  const [cold, reload] = [(times.cold?.best ?? 0) / plain, (times.reload?.best ?? 0) / plain]
  const startMs = await importMs(
    new URL('../packages/context-loader/dist/index.js', import.meta.url).pathname,
  )
  return [
    { name: 'readFileSync of the same files', value: shown(plain) },
    { name: 'loadStage, cold', value: shown(times.cold?.best ?? 0) },
    { name: 'against readFileSync', value: `${cold.toFixed(2)} x`, target: '<= 1.6 x', ok: cold <= 1.6 },
    {
      name: 'with the SHA-256 of every file (made when asked for)',
      value: `${((times.coldWithHashes?.best ?? 0) / plain).toFixed(2)} x`,
    },
    { name: 'with its token counts', value: shown(times.coldWithTokens?.best ?? 0) },
    { name: 'loadStage, nothing changed', value: shown(times.reload?.best ?? 0) },
    { name: 'against readFileSync', value: `${reload.toFixed(2)} x`, target: '<= 0.3 x', ok: reload <= 0.3 },
    { name: 'import', value: `${startMs.toFixed(1)} ms`, target: '<= 10 ms', ok: startMs <= 10 },
  ]
}

/** @param {string} root */
async function whole(root) {
  const times = await measure(
    {
      open: () => openWorkspace(root),
      loadAll: async () => {
        const workspace = snapshotWorkspace(await openWorkspace(root))
        for (const stage of workspace.stages) await loadStage(workspace, stage.name)
      },
      check: async () => checkWorkspace(await openWorkspace(root)),
    },
    { rounds: 3, warmUp: 1 },
  )
  const seconds = (times.loadAll?.best ?? 0) / 1e6
  const status = statusSeconds(root)
  return [
    { name: `open, ${manyStages} stages`, value: shown(times.open?.best ?? 0) },
    {
      name: 'open and load every stage',
      value: `${seconds.toFixed(2)} s`,
      target: '<= 1 s',
      ok: seconds <= 1,
    },
    { name: 'icm status, a process', value: `${status.toFixed(2)} s`, target: '< 1 s', ok: status < 1 },
    { name: 'open and check', value: `${((times.check?.best ?? 0) / 1e6).toFixed(2)} s` },
  ]
}

/**
 * The best of five.
 * @param {string} root
 */
function statusSeconds(root) {
  const cli = fileURLToPath(new URL('../apps/cli/dist/main.js', import.meta.url))
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) {
    const start = performance.now()
    const { status, stdout } = spawnSync(process.execPath, [cli, 'status', '--workspace', root], {
      encoding: 'utf8',
    })
    if (status !== 0 || !stdout.includes(`${manyStages}-step`)) return Number.POSITIVE_INFINITY
    best = Math.min(best, (performance.now() - start) / 1000)
  }
  return best
}

/** @param {string} root */
function oneStage(root) {
  const folder = join(root, 'pipeline/01-a/references')
  mkdirSync(folder, { recursive: true })
  const names = Array.from({ length: filesInStage }, (_, index) => `rules-${index}.md`)
  for (const name of names) writeFileSync(join(folder, name), `# ${name}\n\n${paragraph.repeat(24)}`)
  const inputs = names.map((name) => `- Layer 3 (reference): references/${name}`).join('\n')
  const contract = join(root, 'pipeline/01-a/CONTEXT.md')
  writeFileSync(contract, contractText('01-a', inputs))
  return [contract, ...names.map((name) => join(folder, name))]
}

/** @param {string} root */
function many(root) {
  for (let stage = 1; stage <= manyStages; stage++) {
    const name = `${String(stage).padStart(4, '0')}-step`
    const folder = join(root, 'pipeline', name)
    mkdirSync(join(folder, 'references'), { recursive: true })
    const inputs =
      stage === 1 ? [] : [`- Layer 4 (working): ../${String(stage - 1).padStart(4, '0')}-step/output/step.md`]
    for (let index = 0; index < manyReferences / manyStages; index++) {
      writeFileSync(join(folder, 'references', `r${index}.md`), paragraph.repeat(8))
      inputs.push(`- Layer 3 (reference): references/r${index}.md`)
    }
    writeFileSync(join(folder, 'CONTEXT.md'), contractText(name, inputs.join('\n')))
  }
}

/** @param {string} name @param {string} inputs */
const contractText = (name, inputs) =>
  `# Stage: ${name}\n\n## Inputs\n${inputs}\n\n## Tools\nnone\n\n## Process\nWrite.\n\n## Outputs\n- step.md -> output/\n`
