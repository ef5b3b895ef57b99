import { afterEach, expect, it, vi } from 'vitest'
import { normalizeOllamaHost, ollamaEndpoint } from './ollama-host.js'

afterEach(() => vi.unstubAllEnvs())

it.each([
  ['', 'http://127.0.0.1:11434/'],
  ['box', 'http://box:11434/'],
  ['box:8080', 'http://box:8080/'],
  [':8080', 'http://127.0.0.1:8080/'],
  ['http://box', 'http://box:11434/'],
  ['http://box:80', 'http://box/'],
  ['http://box/', 'http://box:11434/'],
  ['https://box', 'https://box/'],
  ['https://box:11434', 'https://box:11434/'],
  ['HTTP://Box:1', 'http://box:1/'],
  ['0.0.0.0', 'http://127.0.0.1:11434/'],
  ['0.0.0.0:9000', 'http://127.0.0.1:9000/'],
  ['::', 'http://127.0.0.1:11434/'],
  ['[::]:9000', 'http://127.0.0.1:9000/'],
  ['::1', 'http://[::1]:11434/'],
  ['[::1]:9000', 'http://[::1]:9000/'],
  ['fe80::1', 'http://[fe80::1]:11434/'],
  ['localhost', 'http://127.0.0.1:11434/'],
  ['http://localhost:1234', 'http://127.0.0.1:1234/'],
  ['http://box:8080/ollama/', 'http://box:8080/ollama'],
  ['http://user:pass@box', 'http://user:pass@box:11434/'],
  [' "box:1" ', 'http://box:1/'],
  ['192.168.0.2', 'http://192.168.0.2:11434/'],
])('%j is %s', (host, expected) => {
  vi.stubEnv('OLLAMA_HOST', '')
  expect(normalizeOllamaHost(host).href).toBe(expected)
})

it('falls back to OLLAMA_HOST, which an option overrides', () => {
  vi.stubEnv('OLLAMA_HOST', '0.0.0.0:7000')
  expect(normalizeOllamaHost().port).toBe('7000')
  expect(normalizeOllamaHost('box').href).toBe('http://box:11434/')
})

it.each(['ftp://box', 'http://', 'box:99999', 'my box', 'http://[::1'])('%j is refused', (host) => {
  expect(() => normalizeOllamaHost(host)).toThrow(expect.objectContaining({ code: 'chat/bad-option' }))
})

it('keeps a path prefix in front of the endpoint', () => {
  expect(ollamaEndpoint(normalizeOllamaHost('http://box:1/ai/'), '/api/chat').href).toBe(
    'http://box:1/ai/api/chat',
  )
  expect(ollamaEndpoint(normalizeOllamaHost('box'), '/api/chat').href).toBe('http://box:11434/api/chat')
})
