import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from './to-json-schema.js'
import { validate } from './validate.js'

describe('validate with a zod schema', () => {
  const schema = z.object({
    title: z.string(),
    modules: z.array(z.object({ hours: z.number() })).default([]),
  })

  it('returns the parsed value, defaults filled in', async () => {
    const result = await validate(schema, { title: 'Rust' })
    expect(result).toEqual({ valid: true, value: { title: 'Rust', modules: [] } })
  })

  it('types the value', async () => {
    const result = await validate(schema, { title: 'Rust', modules: [{ hours: 2 }] })
    const hours: number | undefined = result.valid ? result.value.modules[0]?.hours : undefined
    expect(hours).toBe(2)
  })

  it('names each place that is wrong', async () => {
    const result = await validate(schema, { modules: [{ hours: 1 }, { hours: 'two' }] })
    expect(result.valid).toBe(false)
    expect(result.valid ? [] : result.issues.map((issue) => issue.path)).toEqual([
      'title',
      'modules[1].hours',
    ])
  })

  it('waits for an asynchronous check', async () => {
    const slow = z.string().refine(async (text) => text !== 'bad', 'is bad')
    expect(await validate(slow, 'bad')).toEqual({ valid: false, issues: [{ path: '', message: 'is bad' }] })
  })
})

describe('validate with a raw JSON Schema', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      level: { enum: ['easy', 'hard'] },
      kind: { const: 'course' },
      'a/b': { type: 'array', items: { type: 'integer' } },
    },
    required: ['level'],
  }

  it('returns the value as it is', async () => {
    const value = { level: 'easy', extra: 1 }
    const result = await validate(schema, value)
    expect(result).toEqual({ valid: true, value })
    expect(result.valid && result.value).toBe(value)
  })

  it('lists all faults, with what is allowed', async () => {
    const result = await validate(schema, { level: 'medium', kind: 'book', 'a/b': [1, 'x'] })
    expect(result).toEqual({
      valid: false,
      issues: expect.arrayContaining([
        { path: 'level', message: 'must be equal to one of the allowed values: "easy", "hard"' },
        { path: 'kind', message: 'must be equal to constant: "course"' },
        { path: 'a/b[1]', message: 'must be integer' },
      ]),
    })
  })

  it('points at the value itself for what is missing there', async () => {
    const result = await validate(schema, {})
    expect(result).toEqual({
      valid: false,
      issues: [{ path: '', message: "must have required property 'level'" }],
    })
  })

  it('knows 2020-12', async () => {
    const modern: JsonSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      prefixItems: [{ type: 'string' }],
      items: false,
    }
    expect((await validate(modern, ['x'])).valid).toBe(true)
    expect((await validate(modern, ['x', 'y'])).valid).toBe(false)
    const withDefinitions: JsonSchema = { $defs: { id: { type: 'integer' } }, $ref: '#/$defs/id' }
    expect((await validate(withDefinitions, 1)).valid).toBe(true)
    expect((await validate(withDefinitions, 'x')).valid).toBe(false)
  })

  it('keeps two schemas with one $id apart', async () => {
    const one: JsonSchema = { $id: 'https://example.com/x', type: 'string' }
    const other: JsonSchema = { $id: 'https://example.com/x', type: 'number' }
    expect((await validate(one, 'x')).valid).toBe(true)
    expect((await validate(other, 'x')).valid).toBe(false)
  })

  it('takes unknown keywords and formats, as servers send them', async () => {
    const loose: JsonSchema = { type: 'string', format: 'no-such-format', 'x-hint': true }
    expect((await validate(loose, 'x')).valid).toBe(true)
  })

  it('throws on a schema that is none', async () => {
    await expect(validate({ type: 'thing' }, 1)).rejects.toMatchObject({ code: 'schema/invalid-schema' })
  })
})
