import { describe, expect, it } from 'vitest'
import { type HostAddress, type HostRules, resolveHost } from './resolve-host.js'

const rules = (
  names: Record<string, readonly string[]>,
  allowedHosts: readonly string[] = [],
): HostRules => ({
  allowedHosts,
  resolveName: async (name) => {
    const found = names[name]
    if (found === undefined) throw Object.assign(new TypeError('not found'), { code: 'ENOTFOUND' })
    return found.map((address): HostAddress => ({ address, family: address.includes(':') ? 6 : 4 }))
  },
})
const resolve = (url: string, given: HostRules) => resolveHost(new URL(url), given)
const refused = { code: 'browser/address-refused' }

describe('resolveHost', () => {
  it('gives the addresses of a public name and of a public IP', async () => {
    expect(
      await resolve('https://site.test/', rules({ 'site.test': ['8.8.8.8', '2606:4700:4700::1111'] })),
    ).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ])
    expect(await resolve('http://8.8.8.8/', rules({}))).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(await resolve('http://[2606:4700:4700::1111]/', rules({}))).toEqual([
      { address: '2606:4700:4700::1111', family: 6 },
    ])
  })

  it('keeps only the public addresses of a name that has both kinds', async () => {
    const mixed = rules({ 'site.test': ['127.0.0.1', '8.8.8.8', '::1', '169.254.169.254'] })
    expect(await resolve('http://site.test/', mixed)).toEqual([{ address: '8.8.8.8', family: 4 }])
  })

  it.each([['127.0.0.1'], ['10.0.0.8'], ['::1'], ['fd00::1'], ['::ffff:192.168.0.1']])(
    'refuses a name that leads to %s',
    async (address) => {
      await expect(resolve('http://site.test/', rules({ 'site.test': [address] }))).rejects.toMatchObject(
        refused,
      )
    },
  )

  it('does not ask a resolver about localhost', async () => {
    const lying = rules({ localhost: ['8.8.8.8'], 'localhost.': ['8.8.8.8'], 'a.localhost': ['8.8.8.8'] })
    for (const host of ['localhost', 'localhost.', 'LOCALHOST', 'a.localhost']) {
      await expect(resolve(`http://${host}/`, lying), host).rejects.toMatchObject(refused)
    }
  })

  it('says that a name is not known', async () => {
    await expect(resolve('http://nowhere.test/', rules({}))).rejects.toMatchObject({
      code: 'browser/unreachable',
    })
  })
})

describe('allowed hosts', () => {
  it.each([
    ['http://127.0.0.1:8080/', '127.0.0.1'],
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['http://127.0.0.1/', '127.0.0.1:80'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://[::1]/', '[::1]'],
    ['http://[0:0::1]:9/', '[::1]:9'],
    ['http://LocalHost/', 'localhost'],
    ['http://localhost./', 'localhost'],
    ['http://localhost/', 'LOCALHOST'],
  ])('%s may be read when %s is listed', async (url, host) => {
    expect(
      await resolve(url, rules({ localhost: ['127.0.0.1'], 'localhost.': ['127.0.0.1'] }, [host])),
    ).toHaveLength(1)
  })

  it.each([
    ['http://127.0.0.1:8081/', '127.0.0.1:8080'],
    ['http://127.0.0.2/', '127.0.0.1'],
    ['http://site.test/', '127.0.0.1'],
    ['http://sub.wiki.test/', 'wiki.test'],
    ['http://wiki.test.evil.test/', 'wiki.test'],
    ['http://[::1]/', '127.0.0.1'],
    ['https://127.0.0.1/', '127.0.0.1:80'],
  ])('%s stays refused when only %s is listed', async (url, host) => {
    const names = {
      'site.test': ['127.0.0.1'],
      'sub.wiki.test': ['10.0.0.1'],
      'wiki.test.evil.test': ['10.0.0.1'],
    }
    await expect(resolve(url, rules(names, [host]))).rejects.toMatchObject(refused)
  })
})
