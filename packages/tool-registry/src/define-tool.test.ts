import type { JsonObject } from '@icm/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from './define-tool.js'
import { ToolRegistryError } from './errors.js'
import type { AnyTool, Tool } from './types.js'

const valid = {
  name: 'read_file',
  description: 'Reads a file.',
  input: z.object({ path: z.string(), max_lines: z.number().optional() }),
  run: () => 'text',
}

describe('defineTool', () => {
  it('infers the input from a zod schema', () => {
    const tool = defineTool({
      ...valid,
      blastRadius: ({ path }) => {
        expectTypeOf(path).toEqualTypeOf<string>()
        return 0
      },
      run: ({ path, max_lines }) => {
        expectTypeOf(max_lines).toEqualTypeOf<number | undefined>()
        return path
      },
    })
    expectTypeOf(tool).toEqualTypeOf<Tool<{ path: string; max_lines?: number | undefined }>>()
    expectTypeOf(tool).toExtend<AnyTool>()
    expect(Object.isFrozen(tool)).toBe(true)
  })

  it('takes a raw JSON Schema, whose input is a JSON object', () => {
    const tool = defineTool({
      ...valid,
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      run: (input) => {
        expectTypeOf(input).toEqualTypeOf<JsonObject>()
        return ''
      },
    })
    expectTypeOf(tool).toExtend<AnyTool>()
    expect(tool.name).toBe('read_file')
  })

  it.each([
    ['an empty name', { name: '' }, 'its name is empty'],
    ['a name with a dot', { name: 'files.read' }, 'character that models may not send'],
    ['a name that is too long', { name: 'a'.repeat(65) }, 'too long'],
    ['an empty description', { description: '  ' }, 'its description is empty'],
    ['a limit of 0', { limit: 0 }, 'its limit is 0'],
    ['a fraction of a millisecond', { timeoutMs: 0.5 }, 'its timeoutMs is 0.5'],
    ['a time that no timer can hold', { timeoutMs: 2 ** 31 }, 'its timeoutMs is 2147483648'],
    ['a hint that is too long', { whenTrimmed: 'x'.repeat(201) }, 'its whenTrimmed has 201 characters'],
    ['an input that is no object', { input: z.string() }, 'its input is of type "string"'],
    ['an alias of no parameter', { aliases: { pth: ['file'] } }, 'names the parameter "pth"'],
    ['an address parameter that is none', { addressParameters: ['url'] }, 'names the parameter "url"'],
    [
      'an alias that is a parameter',
      { aliases: { path: ['maxLines'] } },
      '"maxLines" is an alias of "path" and also a name of "max_lines"',
    ],
    [
      'one alias for two parameters',
      { aliases: { path: ['x'], max_lines: ['X'] } },
      '"X" is an alias of "max_lines" and also a name of "path"',
    ],
  ])('refuses %s', (_, change, what) => {
    const definition = { ...valid, ...change } as unknown as typeof valid
    expect(() => defineTool(definition)).toThrow(ToolRegistryError)
    expect(() => defineTool(definition)).toThrow(what)
  })

  it('says what was probably meant', () => {
    expect(() => defineTool({ ...valid, aliases: { pat: ['file'] } })).toThrow('Did you mean "path"?')
  })
})
