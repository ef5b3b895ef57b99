import { describe, expect, it } from 'vitest'
import { describeProblem, IcmError } from './icm-error.js'

class ExampleError extends IcmError<'example/unknown'> {}

const problem = {
  code: 'example/unknown',
  what: 'Tool "serch" was not called.',
  why: 'No tool has that name.',
  instead: 'Call one of: search, extract.',
} as const

describe('IcmError', () => {
  it('reads as what, why, instead and keeps the parts', () => {
    const error = new ExampleError({ ...problem, details: { name: 'serch' } })
    expect(error.message).toBe(
      'Tool "serch" was not called. No tool has that name. Call one of: search, extract.',
    )
    expect(error.name).toBe('ExampleError')
    expect(error.retryable).toBe(false)
    expect(JSON.parse(JSON.stringify(error))).toEqual({ ...problem, details: { name: 'serch' } })
  })

  it('recognises an error of another installed copy by its registered symbol', () => {
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('@icm/errors/IcmError'), { value: true })
    expect(IcmError.isInstance(foreign)).toBe(true)
    expect(IcmError.isInstance(new ExampleError(problem))).toBe(true)
    expect(IcmError.isInstance(new Error('x'))).toBe(false)
    expect(IcmError.isInstance(null)).toBe(false)
  })

  it('leaves out empty parts', () => {
    expect(describeProblem({ ...problem, why: '' })).toBe(
      'Tool "serch" was not called. Call one of: search, extract.',
    )
  })

  it('keeps the cause', () => {
    const cause = new Error('ECONNREFUSED')
    expect(new ExampleError(problem, { cause }).cause).toBe(cause)
  })
})
