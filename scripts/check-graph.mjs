// Holds the drawn dependency graph (the table in docs/architecture.md) against the manifests and the imports:
// every edge is drawn, declared and used, edges point down only, and each vendor SDK is imported in its own places.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @typedef {{ level: number, name: string, imports: string[] }} DrawnPackage */
/** @typedef {{ name: string, path: string, manifest: { dependencies?: object, peerDependencies?: object }, imports: Map<string, string[]> }} FoundPackage */

/**
 * Where a vendor SDK may be imported, as a prefix of the path.
 * @type {Record<string, string[]>}
 */
const vendorHomes = {
  ollama: ['packages/chat-model/src/adapters/'],
  'node-llama-cpp': ['packages/chat-model/src/adapters/'],
  '@modelcontextprotocol/sdk': ['packages/mcp-host/src/', 'packages/mcp-server/src/'],
}

const drawn = readDrawnGraph(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))
const packages = readPackages()
const faults = [
  ...packages.flatMap(checkPackage),
  ...drawn
    .filter((row) => !packages.some((found) => found.name === row.name))
    .map((row) => `docs/architecture.md draws ${row.name}, which does not exist`),
]

for (const fault of faults) console.error(fault)
console.log(
  `dependency graph: ${packages.length} packages, ${drawn.reduce((sum, row) => sum + row.imports.length, 0)} edges, ${faults.length} faults`,
)
process.exit(faults.length === 0 ? 0 : 1)

/**
 * Rows of the form `| 2 | `context-loader` | errors, safe-files | … |`
 * @param {string} text
 * @returns {DrawnPackage[]}
 */
function readDrawnGraph(text) {
  const rows = [...text.matchAll(/^\|\s*(\d)\s*\|\s*`([\w/-]+)`\s*\|([^|]*)\|/gm)]
  return rows.map(([, level = '', name = '', imports = '']) => ({
    level: Number(level),
    name,
    imports: imports
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '' && part !== '–'),
  }))
}

/** @returns {FoundPackage[]} */
function readPackages() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((folder) => {
      const path = `${group}/${folder}`
      const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
      return { name: folder, path, manifest, imports: readImports(path) }
    }),
  )
}

/**
 * Every module that the sources import, tests and test fixtures left out: specifier → files.
 * @param {string} path
 */
function readImports(path) {
  /** @type {Map<string, string[]>} */
  const imports = new Map()
  for (const entry of readdirSync(join(root, path, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts') || entry.endsWith('.test.ts') || entry.includes('__fixtures__')) continue
    const file = `${path}/src/${entry}`
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:(?<!')\bfrom\s*|\bimport\s*\(?\s*)'([^'\n]+)'/g)) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue
      imports.set(specifier, [...(imports.get(specifier) ?? []), file])
    }
  }
  return imports
}

/**
 * @param {FoundPackage} found
 * @returns {string[]}
 */
function checkPackage({ name, path, manifest, imports }) {
  const row = drawn.find((candidate) => candidate.name === name)
  if (row === undefined) return [`docs/architecture.md does not draw ${name}`]
  const internal = (/** @type {string[]} */ names) =>
    names.filter((found) => found.startsWith('@icm/')).map((found) => found.split('/')[1] ?? '')
  const declared = internal(Object.keys(manifest.dependencies ?? {}))
  const used = [...new Set(internal([...imports.keys()]))].filter((found) => found !== name)
  return [
    ...difference(declared, row.imports).map(
      (found) => `${path}/package.json depends on ${found}: not drawn`,
    ),
    ...difference(row.imports, declared).map(
      (found) => `${path}/package.json does not depend on ${found}: it is drawn`,
    ),
    ...difference(used, declared).map((found) => `${path} imports @icm/${found}: not in its dependencies`),
    ...difference(declared, used).map(
      (found) => `${path}/package.json depends on ${found}: nothing imports it`,
    ),
    ...row.imports
      .filter((found) => levelOf(found) >= row.level)
      .map(
        (found) => `${name} (level ${row.level}) → ${found} (level ${levelOf(found)}) does not point down`,
      ),
    ...undeclared(path, manifest, imports),
    ...vendorFaults(imports),
  ]
}

/** @param {string} name */
function levelOf(name) {
  return drawn.find((row) => row.name === name)?.level ?? Number.POSITIVE_INFINITY
}

/**
 * @param {string} path
 * @param {FoundPackage['manifest']} manifest
 * @param {FoundPackage['imports']} imports
 */
function undeclared(path, manifest, imports) {
  const known = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const external = [...imports.keys()].map((specifier) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  )
  return [...new Set(external)]
    .filter((found) => !found.startsWith('@icm/') && !known.includes(found))
    .map((found) => `${path} imports ${found}: not in its dependencies`)
}

/** @param {FoundPackage['imports']} imports */
function vendorFaults(imports) {
  return [...imports].flatMap(([specifier, files]) =>
    Object.entries(vendorHomes).flatMap(([vendor, homes]) => {
      if (specifier !== vendor && !specifier.startsWith(`${vendor}/`)) return []
      return files
        .filter((file) => !homes.some((home) => file.startsWith(home)))
        .map((file) => `${file} imports ${vendor}: only ${homes.join(', ')} may`)
    }),
  )
}

/**
 * @param {string[]} left
 * @param {string[]} right
 */
function difference(left, right) {
  return left.filter((item) => !right.includes(item))
}
