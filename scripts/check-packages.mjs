// Packs every published package as npm would and checks the artefact: publint (manifest and files), attw (types, ESM
// only; what its declarations import), and that importing each entry loads no vendor SDK.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declarationFaults } from './declaration-faults.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const env = { ...process.env, PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH }
const target = mkdtempSync(join(tmpdir(), 'icm-pack-'))
const vendors = ['ollama', 'node-llama-cpp', '@modelcontextprotocol/sdk', 'zod', 'ajv', 'vitest']
/**
 * The MCP server side is the SDK, so what stands on it loads it; everything else loads a vendor on use only.
 * @type {Record<string, string[]>}
 */
const loadedAtRoot = {
  '@icm/mcp-host': ['zod'],
  '@icm/mcp-server': ['@modelcontextprotocol/sdk', 'ajv', 'zod'],
  '@icm/search-server': ['@modelcontextprotocol/sdk', 'ajv', 'zod'],
  '@icm/browser-server': ['@modelcontextprotocol/sdk', 'ajv', 'zod'],
}
let failed = 0

for (const group of ['packages', 'apps']) {
  for (const folder of readdirSync(join(root, group))) {
    const path = join(root, group, folder)
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    const { name } = manifest
    run(`publint ${name}`, 'publint', ['--strict', '--pack', 'pnpm'], path)
    run(`pack ${name}`, 'pnpm', ['pack', '--pack-destination', target], path)
    const archive = readdirSync(target).find((file) => file.startsWith(`${name.slice(1).replace('/', '-')}-`))
    run(
      `attw ${name}`,
      'attw',
      ['--profile', 'esm-only', '--quiet', join(target, archive ?? 'missing')],
      path,
    )
    checkDeclarations(path, manifest, archive)
    run(
      `root import of ${name}`,
      process.execPath,
      ['--input-type=module', '-e', rootImportCheck(path, name)],
      path,
    )
  }
}
rmSync(target, { recursive: true, force: true })
process.exit(failed === 0 ? 0 : 1)

/**
 * @param {string} path
 * @param {import('./declaration-faults.mjs').Manifest & { name: string }} manifest
 * @param {string | undefined} archive
 */
function checkDeclarations(path, manifest, archive = 'missing') {
  // Not an absolute path: tar takes what stands before a colon (C:) for a host.
  const listing = spawnSync('tar', ['-tzf', archive], { cwd: target, encoding: 'utf8' }).stdout ?? ''
  const published = new Set(listing.split(/\r?\n/).map((entry) => entry.replace(/^package\//, '')))
  const faults = declarationFaults(path, manifest, published)
  if (faults.length === 0) return console.log(`ok declarations of ${manifest.name}`)
  failed++
  console.error(`FAILED declarations of ${manifest.name}\n${faults.join('\n')}`)
}

/**
 * @param {string} label
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function run(label, command, args, cwd) {
  const result = spawnSync(command, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' })
  if (result.status === 0) return console.log(`ok ${label}`)
  failed++
  console.error(`FAILED ${label}\n${result.stdout}${result.stderr}`)
}

/**
 * Node's own import hooks see every module that the root entry pulls in.
 * @param {string} path
 * @param {string} name
 */
function rootImportCheck(path, name) {
  const refused = vendors.filter((vendor) => !(loadedAtRoot[name] ?? []).includes(vendor))
  const hooks = `export async function resolve(specifier, context, next) {
    const vendors = ${JSON.stringify(refused)}
    if (vendors.some((vendor) => specifier === vendor || specifier.startsWith(vendor + '/'))) throw Object.assign(new TypeError('root import loads ' + specifier), { context })
    return next(specifier, context)
  }`
  return `import { register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
    await import(${JSON.stringify(new URL(`file://${join(path, 'dist', 'index.js')}`).href)})`
}
