import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadStage } from './load-stage.js'
import { memoryFiles } from './memory-files.js'
import { nodeFiles } from './node-files.js'
import { openWorkspace } from './open-workspace.js'
import { withPlainFiles } from './plain-files.js'
import type { WorkspaceFiles } from './types.js'

const secret = 'SECRET: it lies outside'
let top = ''

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'icm-walls-')))
  const files = {
    'outside/secret.md': secret,
    'secret.md': secret,
    'repo-evil/secret.md': secret,
    'repo/.git/HEAD': 'x',
    'repo/w/inside.md': 'inside',
    'repo/w/01-a/CONTEXT.md': '# S',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  const stage = join(top, 'repo/w/01-a')
  symlinkSync(join(top, 'outside/secret.md'), join(stage, 'file-link.md'))
  symlinkSync('../../../outside/secret.md', join(stage, 'relative-link.md'))
  symlinkSync(join(top, 'outside'), join(stage, 'folder-link'))
  symlinkSync('file-link.md', join(stage, 'link-to-link.md'))
  symlinkSync('folder-link', join(stage, 'link-to-folder'))
  symlinkSync('/', join(stage, 'root-link'))
  symlinkSync('../../..', join(stage, 'up-link'))
  symlinkSync('/proc/self', join(stage, 'proc-link'))
  symlinkSync('/dev/zero', join(stage, 'zero.md'))
  symlinkSync('loop.md', join(stage, 'loop.md'))
  mkdirSync(join(stage, 'mixed'))
  writeFileSync(join(stage, 'mixed/a.md'), 'fine')
  symlinkSync(join(top, 'outside/secret.md'), join(stage, 'mixed/b.md'))
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

const attempts = [
  '../../../secret.md',
  '../../../../secret.md',
  '../../../outside/secret.md',
  '../../../outside/',
  '../../../repo-evil/secret.md',
  '../../../../../../../../../etc/passwd',
  './../../../secret.md',
  './././../../../secret.md',
  'x/../../../../secret.md',
  '01-a/../../../../secret.md',
  '../01-a/../../../secret.md',
  '../../w/../../secret.md',
  '..//..//..//secret.md',
  '../..//../secret.md',
  '.../../../../secret.md',
  '/etc/passwd',
  '//etc/passwd',
  '///etc/passwd',
  '/../secret.md',
  '/../../secret.md',
  '/../outside/secret.md',
  '/./../secret.md',
  '/w/../../secret.md',
  '/proc/self/environ',
  '/dev/zero',
  'TOP/secret.md',
  'TOP/outside/secret.md',
  'file://TOP/secret.md',
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  '~/secret.md',
  '~root/secret.md',
  '~',
  '@/secret.md',
  'C:\\secret.md',
  'C:/secret.md',
  'c:/../secret.md',
  '\\\\server\\share\\secret.md',
  '\\\\?\\C:\\secret.md',
  '//server/share/secret.md',
  '..\\..\\..\\secret.md',
  '..\\../..\\../..\\../secret.md',
  '%2e%2e/%2e%2e/%2e%2e/secret.md',
  '..%2f..%2f..%2fsecret.md',
  '..%c0%af..%c0%af..%c0%afsecret.md',
  '\u2025/\u2025/\u2025/secret.md',
  '\uFF0E\uFF0E/\uFF0E\uFF0E/\uFF0E\uFF0E/secret.md',
  '../../../secret.md\0.md',
  '\0../../../secret.md',
  '../../../SECRET.md',
  '../../../../W/../secret.md',
  'file-link.md',
  'relative-link.md',
  'link-to-link.md',
  'folder-link/secret.md',
  'folder-link/',
  'folder-link/*.md',
  'folder-link/[slug].md',
  'link-to-folder/secret.md',
  'root-link/etc/passwd',
  'up-link/secret.md',
  'up-link/outside/secret.md',
  'proc-link/environ',
  'zero.md',
  'loop.md',
  '*-link.md',
  '[any]-link.md',
  '../../../*.md',
  '../../../[name].md',
  '../../../*/secret.md',
  'https://example.org/../../secret.md',
  'mixed/b.md',
]

/** Every way in which a contract names a file. */
function contracts(path: string): string[] {
  const cell = path.replaceAll('|', '\\|')
  return [
    `# S\n\n## Inputs\n- \`${path}\`\n- [it](${path})\n- ${path}\n\n## Process\ngo\n`,
    `# S\n\n## Inputs\n| Source | File | Scope |\n|---|---|---|\n| x | \`${cell}\` and \`secret.md\` | latest |\n\n## Process\ngo\n`,
    `# S\n\n## For each\nmodule in \`${path}\`\n\n## Process\ngo\n`,
  ]
}

async function everythingLoaded(path: string): Promise<string> {
  const written = path.replace('TOP', top)
  const disk = nodeFiles()
  const contractPath = join(top, 'repo/w/01-a/CONTEXT.md')
  let loaded = ''
  for (const contract of contracts(written)) {
    // The contract comes from memory, everything else from the disk.
    const files: WorkspaceFiles = {
      ...disk,
      list: async (place) => {
        expect(realpathSync(place).startsWith(join(top, 'repo'))).toBe(true)
        return disk.list(place)
      },
      readBytes: async (place) => {
        if (place === contractPath) return Buffer.from(contract)
        expect(realpathSync(place).startsWith(join(top, 'repo/'))).toBe(true)
        return (await disk.readBytes?.(place)) ?? new Uint8Array()
      },
    }
    // Once the long way for every file, once with the short cut for ordinary ones.
    for (const store of [files, withPlainFiles({ ...files }, plainInside(disk, contractPath))]) {
      const workspace = await openWorkspace(join(top, 'repo/w'), { files: store })
      const context = await loadStage(workspace, '01-a')
      loaded += JSON.stringify([
        context.system,
        context.user,
        context.items,
        context.parts.map((part) => part.path),
      ])
    }
  }
  return loaded
}

function plainInside(disk: WorkspaceFiles, contractPath: string) {
  return (path: string) => {
    const file = path === contractPath ? undefined : disk.readPlainFile?.(path)
    if (file) expect(realpathSync(path).startsWith(join(top, 'repo/'))).toBe(true)
    return file
  }
}

describe('nothing outside the allowed root is read', () => {
  it('there are more than sixty attempts', () => {
    expect(new Set(attempts).size).toBe(attempts.length)
    expect(attempts.length).toBeGreaterThan(60)
  })

  it.each(attempts)('%j', async (path) => {
    const loaded = await everythingLoaded(path)
    expect(loaded).not.toContain('SECRET')
    expect(loaded).not.toContain('root:')
    expect(loaded).not.toContain('PATH=')
  })

  it('a link at the end of a path is never followed by the short cut', () => {
    const disk = nodeFiles()
    const stage = join(top, 'repo/w/01-a')
    for (const name of ['file-link.md', 'link-to-link.md', 'loop.md', 'zero.md', 'mixed', 'nothing.md'])
      expect(disk.readPlainFile?.(join(stage, name)), name).toBeUndefined()
    expect(disk.readPlainFile?.(join(stage, 'mixed/a.md'))).toMatchObject({ text: 'fine' })
  })

  it('while what lies inside is read, also from a folder with a link that leads out', async () => {
    expect(await everythingLoaded('../inside.md')).toContain('inside')
    expect(await everythingLoaded('mixed/')).toContain('fine')
    expect(await everythingLoaded('mixed/')).not.toContain('SECRET')
  })

  it.each(attempts.filter((path) => !path.includes('TOP')))('in memory: %j', async (path) => {
    for (const contract of contracts(path)) {
      const files = memoryFiles({
        '/secret.md': secret,
        '/outside/secret.md': secret,
        '/etc/passwd': secret,
        '/repo-evil/secret.md': secret,
        '/repo/.git/HEAD': 'x',
        '/repo/w/01-a/CONTEXT.md': contract,
      })
      const { system, user, items } = await loadStage(await openWorkspace('/repo/w', { files }), 1)
      expect(JSON.stringify([system, user, items])).not.toContain('SECRET')
    }
  })
})
