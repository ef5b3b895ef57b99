import { describe, expect, it } from 'vitest'
import { findUnsupportedClaims } from './unsupported-claims.js'

function claims(output: string, ...sources: string[]) {
  return findUnsupportedClaims(output, sources).map((claim) => `${claim.kind}:${claim.text}@${claim.line}`)
}

describe('findUnsupportedClaims', () => {
  it('lists addresses, versions, model tags, ports and commands that no source has, with their line', () => {
    const output = [
      '# Module',
      'See https://example.test/made-up for version 9.9.1.',
      'Use `phi9:3b` on port 9999.',
      '```bash',
      'toolname serve --fast',
      '```',
    ].join('\n')
    expect(claims(output, 'nothing of it')).toEqual([
      'url:https://example.test/made-up@2',
      'version:9.9.1@2',
      'model-tag:phi9:3b@3',
      'port:9999@3',
      'command:toolname serve --fast@5',
    ])
  })

  it.each([
    ['a trailing slash', 'https://a.test/x/', 'see https://a.test/x'],
    ['a markdown link', 'https://a.test/x', '[the page](https://a.test/x).'],
    ['a fragment', 'https://a.test/x#part', 'https://a.test/x'],
    ['http for https', 'http://a.test/x', 'https://a.test/x'],
    ['a leading v', 'v1.2.3', 'since 1.2.3 it works'],
    ['a two-part version', 'v1.2', 'version 1.2 brought it'],
    ['a port named otherwise', 'on port 11434', 'http://127.0.0.1:11434/api'],
    ['a port as a bare number', 'on port 8080', 'it listens on 8080 by default'],
    ['a model tag in code', 'qwen2.5-coder:1.5b', '`ollama pull qwen2.5-coder:1.5b`'],
    ['a command in prose', '```\nollama pull x\n```', 'run `ollama  pull x` first'],
    ['a prompt sign', '```\n$ ollama pull x\n```', '```\nollama pull x\n```'],
  ])('%s is supported', (_, output, source) => {
    expect(claims(output, source)).toEqual([])
  })

  it.each([
    ['a longer version', 'v1.2', 'version 1.2.3', 'version:v1.2@1'],
    ['part of another number', 'on port 1143', 'on port 11434', 'port:1143@1'],
    ['another path', 'https://a.test/y', 'https://a.test/x', 'url:https://a.test/y@1'],
  ])('%s does not support it', (_, output, source, claim) => {
    expect(claims(output, source)).toEqual([claim])
  })

  it('reads a long answer without a space in bounded time', () => {
    expect(claims('a-'.repeat(200_000))).toEqual([])
  })

  it('leaves prose, output and comments in code blocks alone, and lists a claim once', () => {
    const output = [
      '```python',
      'data = {',
      'import json',
      '```',
      '```',
      'name = value',
      '# a comment',
      '{"done": true}',
      'This is a sentence.',
      '```',
      'https://a.test/y and https://a.test/y',
    ].join('\n')
    expect(claims(output, '')).toEqual(['url:https://a.test/y@11'])
  })
})
