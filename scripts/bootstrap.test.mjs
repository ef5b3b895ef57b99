import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// turbo and pnpm start several times, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const repository = fileURLToPath(new URL('..', import.meta.url))
/** @type {string} */
let root

/** A small repository whose two packages are built by the real turbo and pnpm, with the install marked as done. */
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'bootstrap-'))
  mkdirSync(join(root, 'scripts'))
  cpSync(join(repository, 'scripts', 'bootstrap.mjs'), join(root, 'scripts', 'bootstrap.mjs'))
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
  for (const name of ['turbo', 'pnpm']) {
    symlinkSync(
      realpathSync(join(repository, 'node_modules', name)),
      join(root, 'node_modules', name),
      'junction',
    )
  }
  symlinkSync(
    join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs'),
    join(root, 'node_modules', '.bin', 'pnpm'),
  )
  const { packageManager, engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  write('package.json', JSON.stringify({ name: 'small', private: true, packageManager, engines }))
  write('pnpm-workspace.yaml', 'packages: [packages/*]\n')
  write('pnpm-lock.yaml', "lockfileVersion: '9.0'\n")
  write(
    'turbo.json',
    JSON.stringify({ tasks: { build: { outputs: ['dist/**'], inputs: ['package.json'] } } }),
  )
  write('.gitignore', 'node_modules\ndist\n.turbo\n')
  for (const name of ['one', 'two']) writePackage(name, `console.log('made ${name}')`)
  write('node_modules/.bootstrap', fingerprint())
  execFileSync('git', ['init', '--quiet'], { cwd: root })
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

it('builds what changed, then is silent, and shows the log of a build that fails', () => {
  const first = bootstrap()
  expect(first.status).toBe(0)
  expect(first.stdout).toBe('')
  expect(first.stderr).toContain('Building the packages that changed …')
  expect(first.stderr).toMatch(/Built 2 packages in [\d.]+ s\./)

  expect(bootstrap()).toMatchObject({ status: 0, stdout: '', stderr: '' })

  writePackage('two', "throw new Error('spilt ink')")
  const broken = bootstrap()
  expect(broken.status).toBe(1)
  expect(broken.stdout).toBe('')
  expect(broken.stderr).toContain('spilt ink')
  expect(broken.stderr).toContain('ended with exit code 1')
})

it('installs again when the lock file is not the one of the last install', () => {
  write('pnpm-lock.yaml', 'this is no lock file: [\n')
  const result = bootstrap({ npm_config_registry: 'http://127.0.0.1:9/', npm_config_offline: 'true' })
  expect(result.stderr).toContain('Installing the dependencies with pnpm@')
  expect(result.status).not.toBe(0)
  expect(readFileSync(join(root, 'node_modules', '.bootstrap'), 'utf8')).not.toBe(fingerprint())
})

/** @param {string} path @param {string} text */
function write(path, text) {
  writeFileSync(join(root, path), text)
}

/** @param {string} name @param {string} code */
function writePackage(name, code) {
  mkdirSync(join(root, 'packages', name), { recursive: true })
  const build = `node -e "require('fs').mkdirSync('dist',{recursive:true});${code}"`
  write(`packages/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', scripts: { build } }))
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)))
  return hash.digest('hex')
}

/** @param {NodeJS.ProcessEnv} [environment] */
function bootstrap(environment = {}) {
  return spawnSync(process.execPath, [join(root, 'scripts', 'bootstrap.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
}
