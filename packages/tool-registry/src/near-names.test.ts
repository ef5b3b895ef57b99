import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearParameters } from './near-names.js'

describe('nearParameters', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['date_start', ['start_date', 'end_date'], ['start_date']],
    ['id', ['drink_id', 'size'], ['drink_id']],
    ['drinkIdentifier', ['drink_id', 'size'], ['drink_id']],
    ['userName', ['name', 'age'], ['name']],
    ['loc', ['location', 'lock_code'], ['location', 'lock_code']],
    ['loc', ['location', 'date'], ['location']],
    ['qty', ['quantity', 'price'], ['quantity']],
    ['ingredient', ['ingredients'], ['ingredients']],
    ['locaton', ['location'], ['location']],
    ['maxCount', ['limit'], ['limit']],
    ['filename', ['path'], ['path']],
    ['id', ['user_id', 'order_id'], ['user_id', 'order_id']],
    ['verbose', ['path', 'mode'], []],
    ['date', ['rate'], []],
    ['city', ['location'], []],
    ['--', ['path'], []],
  ])('%s among %j', (written, parameters, expected) => {
    expect(nearParameters(written, parameters)).toEqual(expected)
  })

  it('finds a name under itself, and never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.string(), (parameters, written) => {
        for (const name of nearParameters(written, parameters)) expect(parameters).toContain(name)
        if (/\p{L}/u.test(written)) expect(nearParameters(written, [written])).toEqual([written])
      }),
    )
  })
})
