import { describe, expect, it } from 'vitest'
import { mendInside } from './mend-inside.js'

const schema = {
  type: 'object',
  properties: {
    size: { type: 'string', enum: ['small', 'extra_large', 'XL', 'xl'] },
    drink: {
      type: 'object',
      properties: {
        milk_type: { type: 'string', enum: ['oat', 'soy'] },
        sugar_grams: { type: 'integer' },
        hot: {},
      },
    },
    guests: { type: 'array', items: { type: 'object', properties: { first_name: { type: 'string' } } } },
    extra: { type: 'object', properties: { user_id: {}, order_id: {} } },
    free: { type: 'object', properties: { name: {} }, additionalProperties: true },
  },
}

describe('mendInside', () => {
  it('mends names and listed words in nested objects and lists, and says so', () => {
    const value = {
      drink: { MilkType: 'OAT', sugar: 3 },
      guests: [{ firstName: 'Ann' }],
      size: 'Extra-Large',
    }
    expect(mendInside(schema, value)).toEqual({
      value: {
        drink: { milk_type: 'oat', sugar_grams: 3 },
        guests: [{ first_name: 'Ann' }],
        size: 'extra_large',
      },
      repairs: [
        '"drink.MilkType" was read as "drink.milk_type".',
        '"drink.sugar" was read as "drink.sugar_grams".',
        'drink.milk_type: "OAT" was read as "oat".',
        '"guests[0].firstName" was read as "guests[0].first_name".',
        'size: "Extra-Large" was read as "extra_large".',
      ],
    })
  })

  it.each([
    { drink: { milk_type: 'oat', hot: true } },
    { size: 'Xl' }, // two words of the list are spelt so
    { free: { Name: 'x' } },
    { drink: 'a text' },
    { unknown: { MilkType: 1 } },
  ])('leaves %j as it is', (value) => {
    const mended = mendInside(schema, value)
    expect(mended).toEqual({ value, repairs: [] })
    expect(mended.value).toBe(value)
  })

  it('refuses a name that may mean two things', () => {
    expect(mendInside(schema, { extra: { id: 1 } }).fault).toBe(
      'The argument "extra.id" is no parameter and may mean "user_id" or "order_id".',
    )
    expect(mendInside(schema, { guests: [{ FirstName: 'a', 'first-name': 'b' }] }).fault).toContain(
      'Two arguments',
    )
  })
})
