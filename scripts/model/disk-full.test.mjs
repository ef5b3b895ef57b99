import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCheckedWriter } from './checked-writer.mjs'
import { downloadFile } from './download-file.mjs'

// A disk of one megabyte. Only root on Linux may make one.
const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
const mounted = tryMount()
const content = Buffer.alloc(2_000_000, 'x')
const sha256 = createHash('sha256').update(content).digest('hex')
const server = createServer((_, response) => response.end(content))

beforeAll(() => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined))))

afterAll(() => {
  server.close()
  if (mounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
})

function tryMount() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.skipIf(!mounted)('says before a download that the disk is too small (needs root on Linux)', async () => {
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  const failed = downloadFile({ url, path: join(folder, 'model.gguf'), bytes: content.length, sha256 })
  await expect(failed).rejects.toMatchObject({ code: 'disk-full' })
  await expect(failed).rejects.toThrow(/2\.00 MB are needed in .*, and .* are free/)
})

it.skipIf(!mounted)('says so when the disk fills up on the way (needs root on Linux)', async () => {
  writeFileSync(join(folder, 'other'), Buffer.alloc(500_000))
  const writer = await openCheckedWriter(join(folder, 'model.part'), { keepBytes: 0 })
  await expect(writer.write(content)).rejects.toMatchObject({ code: 'disk-full' })
  await writer.close()
})
