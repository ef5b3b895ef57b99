import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Site, startSite } from '../__fixtures__/site.js'
import type { ResolveName } from '../http/resolve-host.js'
import { createHttpBackend, type HttpBackendOptions } from './http.js'

let site: Site
beforeEach(async () => {
  site = await startSite((request, response) => {
    const target = new URL(request.url ?? '', 'http://x').searchParams.get('to')
    if (target === null)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Secret</title><p>inner page')
    else response.writeHead(302, { location: Buffer.from(target).toString('latin1') }).end()
  })
})
afterEach(() => site.close())

const open = (address: string, options: Partial<HttpBackendOptions> = {}) =>
  createHttpBackend({ userAgent: 'test/1', ...options }).open(new URL(address), {
    signal: new AbortController().signal,
  })
const certificateProgram = 'openssl'
const hasCertificates = spawnSync(certificateProgram, ['version']).status === 0
const refused = { code: 'browser/address-refused' }

/** Addresses that must not be connected to. `PORT` is the port of a real server that would answer. */
const forbidden = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.2:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0.0.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://localhost:PORT/',
  'http://localhost.:PORT/',
  'http://LOCALHOST:PORT/',
  'http://anything.localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[ff02::1]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
  'https://127.0.0.1:PORT/',
  'http://user:password@127.0.0.1:PORT/',
  'http://public.test@127.0.0.1:PORT/',
  'http://255.255.255.255/',
]

describe('addresses inside', () => {
  it.each(forbidden)('refuses %s', async (address) => {
    await expect(open(address.replace('PORT', String(site.port)))).rejects.toMatchObject(refused)
    expect(site.requests).toEqual([])
  })

  it.each(forbidden)('refuses a redirect to %s', async (address) => {
    const target = address.replace('PORT', String(site.port))
    // The first hop is allowed by its name and pinned to this machine; the second is not.
    const resolveName: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }]
    const first = `http://start.test:${site.port}/?to=${encodeURIComponent(target)}`
    await expect(open(first, { resolveName, allowedHosts: ['start.test'] })).rejects.toMatchObject(refused)
    expect(site.requests).toHaveLength(1)
  })

  it('refuses a name that leads inside, and one that is allowed only under another name', async () => {
    const resolveName: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }]
    const address = `http://inside.test:${site.port}/`
    await expect(open(address, { resolveName })).rejects.toMatchObject(refused)
    await expect(
      open(address, { resolveName, allowedHosts: ['127.0.0.1', 'other.test'] }),
    ).rejects.toMatchObject(refused)
    expect(site.requests).toEqual([])
  })
})

describe('the connection', () => {
  it('goes to the address that was checked, and the name is asked for once', async () => {
    const asked: string[] = []
    const resolveName: ResolveName = async (name) => {
      asked.push(name)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    // No resolver of this machine knows the name: only a pinned connection can arrive.
    const found = await open(`http://pinned.test:${site.port}/`, {
      resolveName,
      allowedHosts: ['pinned.test'],
    })
    expect(found).toMatchObject({ title: 'Secret', address: `http://pinned.test:${site.port}/` })
    expect(asked).toEqual(['pinned.test'])
  })

  it('cannot be moved inside by a name that changes its address (DNS rebinding)', async () => {
    let asked = 0
    const resolveName: ResolveName = async () => {
      asked += 1
      // A public address that nobody answers under, then this machine.
      return [{ address: asked === 1 ? '198.41.0.4' : '127.0.0.1', family: 4 }]
    }
    await expect(
      open(`http://rebind.test:${site.port}/`, { resolveName, timeoutMs: 300 }),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/^browser\/(timed-out|unreachable)$/),
    })
    expect(asked).toBe(1)
    expect(site.requests).toEqual([])
  })

  it('checks a name again at every redirect', async () => {
    let asked = 0
    const resolveName: ResolveName = async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    }
    const first = `http://start.test:${site.port}/?to=${encodeURIComponent('http://second.test/')}`
    await expect(open(first, { resolveName, allowedHosts: ['start.test'] })).rejects.toMatchObject(refused)
    expect(asked).toBe(2)
  })

  it('tries the next address when one does not answer', async () => {
    const resolveName: ResolveName = async () => [
      { address: '127.0.0.9', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const found = await open(`http://two.test:${site.port}/`, { resolveName, allowedHosts: ['two.test'] })
    expect(found.title).toBe('Secret')
  })

  it('reaches an allowed host, and only that', async () => {
    expect((await open(`${site.origin}/`, { allowedHosts: ['127.0.0.1'] })).title).toBe('Secret')
    expect((await open(`${site.origin}/`, { allowedHosts: [`127.0.0.1:${site.port}`] })).title).toBe('Secret')
    await expect(open(`${site.origin}/`, { allowedHosts: ['127.0.0.1:1'] })).rejects.toMatchObject(refused)
  })

  it.skipIf(!hasCertificates)(
    'speaks https, and refuses a certificate that nobody known signed',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'icm-certificate-'))
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
      const names = ['-subj', '/CN=secure.test', '-keyout', key, '-out', cert]
      execFileSync(
        certificateProgram,
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names],
        {
          stdio: 'ignore',
        },
      )
      const secure = createServer(
        { key: readFileSync(key), cert: readFileSync(cert) },
        (_request, response) => response.end('x'),
      )
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
      const { port } = secure.address() as AddressInfo
      const resolveName: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }]
      const opening = open(`https://secure.test:${port}/`, { resolveName, allowedHosts: ['secure.test'] })
      await expect(opening).rejects.toMatchObject({
        code: 'browser/unreachable',
        why: expect.stringContaining('certificate is not signed'),
      })
      secure.close()
      rmSync(folder, { recursive: true })
    },
  )
})
