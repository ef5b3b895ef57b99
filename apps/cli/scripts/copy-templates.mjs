// Puts the workspaces that `icm init` copies beside the built program. `course-research` is the example itself, so
// that there is one source of it; `minimal` lies in this package.
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const place = (path) => fileURLToPath(new URL(path, import.meta.url))
const target = place('../dist/templates')

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
copy(place('../../../examples/course-research'), `${target}/course-research`)
copy(place('../templates/minimal'), `${target}/minimal`)

function copy(source, folder) {
  cpSync(source, folder, { recursive: true, filter: (path) => isTemplateFile(path) })
  // npm leaves .gitignore files out of packages; `icm init` gives the name back.
  renameSync(`${folder}/.gitignore`, `${folder}/_gitignore`)
}

/** Everything but what a run of the example itself has left behind, and its tests. */
function isTemplateFile(path) {
  if (['.icm', 'node_modules'].includes(basename(path)) || path.endsWith('.test.ts')) return false
  return !/[\\/]output[\\/](?!\.gitkeep$)/.test(path)
}
