// What a consumer's compiler would not find when it reads the declarations of a package.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** @typedef {{ exports?: Record<string, unknown>, dependencies?: object, peerDependencies?: object, devDependencies?: object }} Manifest */

/**
 * Follows the imports of the declarations that `exports` names: a relative one must be published, a package must be a
 * dependency (or peer) whose types do not come from a development dependency.
 * @param {string} folder the package
 * @param {Manifest} manifest
 * @param {ReadonlySet<string>} published paths in the package, such as `dist/index.d.ts`
 * @returns {string[]}
 */
export function declarationFaults(folder, manifest, published) {
  const waiting = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'object' && target !== null && 'types' in target
      ? [posix.normalize(String(target.types))]
      : [],
  )
  const faults = waiting.length === 0 ? ['exports names no types'] : []
  const seen = new Set(waiting)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (!published.has(file) || !existsSync(join(folder, file))) {
      faults.push(`${file} is not published`)
      continue
    }
    for (const specifier of importsOf(readFileSync(join(folder, file), 'utf8'))) {
      if (specifier.startsWith('node:')) continue
      if (!specifier.startsWith('.')) {
        if (!isProvided(specifier, manifest))
          faults.push(`${file} imports ${specifier}: not in its dependencies`)
        continue
      }
      const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.d.ts')
      if (!seen.has(target)) waiting.push(target)
      seen.add(target)
    }
  }
  return faults
}

/** @param {string} text */
function importsOf(text) {
  return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n]+)["']/g)].map(
    ([, specifier = '']) => specifier,
  )
}

/**
 * @param {string} specifier
 * @param {Manifest} manifest
 */
function isProvided(specifier, manifest) {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const types = `@types/${name.replace(/^@/, '').replace('/', '__')}`
  if (Object.hasOwn(manifest.devDependencies ?? {}, types)) return false
  return Object.hasOwn({ ...manifest.dependencies, ...manifest.peerDependencies }, name)
}
