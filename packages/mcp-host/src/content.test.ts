import { expect, it } from 'vitest'
import { type CallResult, readContent } from './content.js'

it.each<[string, CallResult, string]>([
  [
    'text',
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    'a\nb',
  ],
  [
    'a text resource',
    { content: [{ type: 'resource', resource: { uri: 'file:///n.md', text: '# N' } }] },
    '[file:///n.md]\n# N',
  ],
  [
    'a binary resource',
    {
      content: [
        { type: 'resource', resource: { uri: 'file:///a', mimeType: 'application/zip', blob: 'AAAA' } },
      ],
    },
    '[binary resource file:///a application/zip, 3 bytes, not shown]',
  ],
  [
    'a link',
    { content: [{ type: 'resource_link', uri: 'https://e.org', name: 'E', description: 'about e' }] },
    '[link] E: https://e.org – about e',
  ],
  [
    'an image',
    { content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] },
    '[image image/png, 8 bytes, not shown]',
  ],
  [
    'sound',
    { content: [{ type: 'audio', mimeType: 'audio/wav', data: '' }] },
    '[audio audio/wav, 0 bytes, not shown]',
  ],
  [
    'an unknown block',
    { content: [{ type: 'hologram', x: 1 }] },
    '[content of the unknown type "hologram", 25 characters of JSON, not shown]',
  ],
  [
    'a text block without text',
    { content: [{ type: 'text' }] },
    '[content of the unknown type "text", 15 characters of JSON, not shown]',
  ],
  [
    'a block that is no object',
    { content: [7, null] },
    '[content that is not an object, 1 characters of JSON]\n[content that is not an object, 4 characters of JSON]',
  ],
  ['structured content without text', { content: [], structuredContent: { a: 1 } }, '{"a":1}'],
  [
    'structured content beside empty text',
    { content: [{ type: 'text', text: ' ' }], structuredContent: [1] },
    ' \n[1]',
  ],
  [
    'structured content beside an image',
    { content: [{ type: 'image', data: 'AA==' }], structuredContent: { a: 1 } },
    '[image (unnamed), 1 bytes, not shown]\n{"a":1}',
  ],
  [
    'text beside structured content',
    { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } },
    'a',
  ],
  ['nothing', { content: [] }, ''],
  ['no content at all', {}, ''],
])('reads %s', (_, result, text) => {
  expect(readContent(result)).toBe(text)
})
