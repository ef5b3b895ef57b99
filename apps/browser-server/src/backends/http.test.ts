import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Site, startSite } from '../__fixtures__/site.js'
import { createHttpBackend, type HttpBackendOptions } from './http.js'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

let site: Site
let answers: Record<string, Answer>
beforeEach(async () => {
  answers = {}
  site = await startSite((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end('no')
    else answer(response, request)
  })
})
afterEach(() => site.close())

const send =
  (
    body: string | Buffer,
    headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' },
    status = 200,
  ): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body)
const redirect =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end()
const open = (
  path: string,
  options: Partial<HttpBackendOptions> = {},
  signal = new AbortController().signal,
) =>
  createHttpBackend({ userAgent: 'test/1', allowedHosts: ['127.0.0.1'], ...options }).open(
    new URL(path, site.origin),
    { signal },
  )
const page = '<title>Tea</title><h1>Tea</h1><p>Green tea is brewed at eighty degrees.</p><a href="b#x">B</a>'

describe('reading', () => {
  it('reads HTML: address without fragment, title, text, headings, links', async () => {
    answers['/a'] = send(page)
    const found = await open('/a#part')
    expect(found).toMatchObject({ address: `${site.origin}/a`, title: 'Tea', notes: [] })
    expect(found.text()).toBe('# Tea\n\nGreen tea is brewed at eighty degrees.\n\nB')
    expect(found.headings()).toEqual([{ level: 1, text: 'Tea' }])
    expect(found.links()).toEqual([{ text: 'B', url: `${site.origin}/b`, inText: true }])
  })

  it('tells who it is and what it reads', async () => {
    let headers: IncomingMessage['headers'] = {}
    answers['/a'] = (response, request) => {
      headers = request.headers
      send(page)(response, request)
    }
    await open('/a')
    expect(headers).toMatchObject({
      'user-agent': 'test/1',
      'accept-encoding': 'gzip, deflate, br',
      host: `127.0.0.1:${site.port}`,
    })
    expect(headers.accept).toContain('text/html')
    expect(headers.cookie).toBeUndefined()
  })

  it.each([
    ['markdown', '/a.md', 'text/plain; charset=utf-8', '# Tea\n\n[b](b.md)'],
    ['plain text', '/a.txt', 'text/plain', 'Tea words'],
    ['JSON', '/a.json', 'application/json', '{"tea": 1}'],
    ['XML', '/feed', 'application/rss+xml', '<rss><title>Tea</title></rss>'],
  ])('reads %s as it is', async (_name, path, type, body) => {
    answers[path] = send(body, { 'content-type': type })
    expect((await open(path)).text()).toBe(body)
  })

  it.each([
    ['the header', Buffer.from([0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6]), 'text/html; charset=iso-8859-2'],
    [
      'a meta element',
      Buffer.concat([
        Buffer.from('<meta charset=iso-8859-2>'),
        Buffer.from([0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6]),
      ]),
      'text/html',
    ],
    ['nothing: UTF-8', Buffer.from('Zażółć'), 'text/html'],
  ])('takes the encoding from %s', async (_name, body, type) => {
    answers['/a'] = send(body, { 'content-type': type })
    expect((await open('/a')).text()).toContain('Zażółć')
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('reads %s', async (encoding, compress) => {
    answers['/a'] = send(compress(page), { 'content-type': 'text/html', 'content-encoding': encoding })
    expect((await open('/a')).title).toBe('Tea')
  })

  it('reads the first 2 MB of a larger page, says so, and ends the connection', async () => {
    let ended = false
    answers['/big'] = (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.on('close', () => {
        ended = true
      })
      const more = () => {
        while (response.write('0123456789abcdef'.repeat(4_096)));
        response.once('drain', more)
      }
      more()
    }
    const found = await open('/big')
    expect(found.text()).toHaveLength(2_000_000)
    expect(found.notes).toEqual(['The page is larger than 2 MB; what comes behind was not read.'])
    await expect.poll(() => ended).toBe(true)
  })

  it('reads no more of a compressed bomb', async () => {
    answers['/bomb'] = send(gzipSync(Buffer.alloc(30_000_000, 'x')), {
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
    })
    const found = await open('/bomb')
    expect(found.text()).toHaveLength(2_000_000)
    expect(found.notes).toHaveLength(1)
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'follows %i, says where it ended and resolves links there',
    async (status) => {
      answers['/old'] = redirect('deep/new#x', status)
      answers['/deep/new'] = send(page)
      const found = await open('/old')
      expect(found).toMatchObject({
        address: `${site.origin}/deep/new`,
        notes: [`${site.origin}/old redirected here.`],
      })
      expect(found.links()[0]?.url).toBe(`${site.origin}/deep/b`)
    },
  )

  it('understands a target in UTF-8', async () => {
    answers['/a'] = redirect(Buffer.from('/łódź').toString('latin1'))
    answers['/%C5%82%C3%B3d%C5%BA'] = send(page)
    expect((await open('/a')).title).toBe('Tea')
  })

  it('follows five and no more', async () => {
    for (let number = 0; number < 8; number++) answers[`/${number}`] = redirect(`/${number + 1}`)
    answers['/5'] = send(page)
    expect((await open('/0')).address).toBe(`${site.origin}/5`)
    answers['/5'] = redirect('/6')
    await expect(open('/0')).rejects.toMatchObject({ code: 'browser/too-many-redirects' })
    answers['/loop'] = redirect('/loop')
    await expect(open('/loop')).rejects.toMatchObject({ code: 'browser/too-many-redirects' })
  })

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    'data:text/html,x',
    'javascript:1',
    'http://[bad',
    'http://user:secret@127.0.0.1/x',
  ])('refuses one to %s', async (location) => {
    answers['/a'] = redirect(location)
    const error = await open('/a').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'browser/address-refused' })
    expect((error as Error).message).not.toContain('secret')
  })

  it('takes a redirect without a target for the answer that it is', async () => {
    answers['/a'] = (response) =>
      response.writeHead(302, { 'content-type': 'text/html' }).end('<p>Found nothing')
    await expect(open('/a')).rejects.toMatchObject({ code: 'browser/content-type' })
  })
})

describe('what is no page', () => {
  it.each([
    [404, 'browser/not-found'],
    [410, 'browser/not-found'],
    [401, 'browser/blocked'],
    [403, 'browser/blocked'],
    [429, 'browser/blocked'],
    [500, 'browser/blocked'],
    [503, 'browser/blocked'],
  ])('status %i is %s', async (status, code) => {
    answers['/a'] = send(page, { 'content-type': 'text/html', 'retry-after': '7' }, status)
    await expect(open('/a')).rejects.toMatchObject({ code })
  })

  it('passes on how long a busy server asks to wait', async () => {
    answers['/a'] = send('busy', { 'content-type': 'text/plain', 'retry-after': '7' }, 429)
    await expect(open('/a')).rejects.toThrow('It asks to wait 7 seconds.')
  })

  it('reports a bot check with status 200 as blocked', async () => {
    answers['/a'] = send('<title>Just a moment...</title><p>Verifying you are human.</p>')
    await expect(open('/a')).rejects.toMatchObject({
      code: 'browser/blocked',
      message: expect.stringContaining('bot check'),
    })
  })

  it('reads a long article about bot checks', async () => {
    answers['/a'] = send(
      `<title>Just a moment: bot checks</title><article><h1>Bot checks</h1>${'<p>Sites say: just a moment, verifying you are human, access denied.</p>'.repeat(300)}</article>`,
    )
    expect((await open('/a')).title).toBe('Bot checks')
  })

  it.each([
    ['image/png', /it is image\/png/],
    ['application/pdf', /it is application\/pdf/],
    ['application/zip', /it is application\/zip/],
    ['x"y: do as I say', /ill-formed content type/],
  ])('refuses %s and says what it found', async (type, text) => {
    answers['/a'] = send('\u0000binary', { 'content-type': type })
    await expect(open('/a')).rejects.toMatchObject({
      code: 'browser/content-type',
      message: expect.stringMatching(text),
    })
  })

  it('refuses an unknown compression and damaged data', async () => {
    answers['/a'] = send('x', { 'content-type': 'text/html', 'content-encoding': 'zstd' })
    await expect(open('/a')).rejects.toMatchObject({ code: 'browser/content-type' })
    answers['/b'] = send('no gzip', { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    await expect(open('/b')).rejects.toMatchObject({ code: 'browser/unreachable' })
  })

  it('says that a page has no text', async () => {
    answers['/a'] = send('<title>App</title><div id="root"></div><script>run()</script>')
    await expect(open('/a')).rejects.toMatchObject({
      code: 'browser/empty-page',
      why: expect.stringContaining('scripts'),
    })
    answers['/b'] = send('  ', { 'content-type': 'text/plain' })
    await expect(open('/b')).rejects.toMatchObject({ code: 'browser/empty-page' })
  })

  it('says why a connection failed', async () => {
    answers['/cut'] = (response) =>
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy())
    await expect(open('/cut')).rejects.toMatchObject({
      code: 'browser/unreachable',
      why: expect.stringContaining('broke the connection off'),
    })
    const { origin } = site
    await site.close()
    await expect(open(`${origin}/a`)).rejects.toMatchObject({
      code: 'browser/unreachable',
      why: expect.stringContaining('no web server answers'),
    })
  })
})

describe('time', () => {
  const stuck: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<p>beginning')
  }

  it('gives up at the time limit, redirects included', async () => {
    answers['/stuck'] = stuck
    answers['/to-stuck'] = redirect('/stuck')
    for (const path of ['/stuck', '/to-stuck']) {
      await expect(open(path, { timeoutMs: 200 })).rejects.toMatchObject({
        code: 'browser/timed-out',
        retryable: true,
      })
    }
  })

  it('gives up at the time limit while a name is being resolved', async () => {
    const never = () => new Promise<never>(() => {})
    await expect(open('http://slow.test/', { timeoutMs: 100, resolveName: never })).rejects.toMatchObject({
      code: 'browser/timed-out',
    })
  })

  it('rethrows the reason of an abort, before and in the middle', async () => {
    answers['/stuck'] = stuck
    const reason = { stop: true }
    await expect(open('/stuck', {}, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(site.requests).toEqual([])
    const controller = new AbortController()
    const opening = open('/stuck', {}, controller.signal)
    await expect.poll(() => site.requests.length).toBe(1)
    controller.abort(reason)
    await expect(opening).rejects.toBe(reason)
  })
})
