import { createToolRegistry } from '@icm/tool-registry'
import { expect, it } from 'vitest'
import { decoys } from './index.js'

const registry = createToolRegistry({ tools: decoys })
const run = (name: string, given: unknown) => registry.run({ id: 'c', name, arguments: given })

it('there are 35, and each description has the parts of a real one', () => {
  expect(decoys).toHaveLength(35)
  for (const { name, description } of decoys) {
    expect(name).toMatch(/^[a-z]+(_[a-z0-9]+)+$/)
    expect(description).toMatch(/^Returns .*Example: \{.*Rejected: /)
  }
})

it.each([
  ['get_weekday', { date: '2025-03-31' }, 'Monday'],
  ['count_days', { from: '2025-01-01', to: '2025-12-24' }, '357 days'],
  ['add_days', { date: '2025-02-27', days: 3 }, '2025-03-02'],
  ['convert_timezone', { moment: '2025-07-01T12:00:00Z', zone: 'Europe/Warsaw' }, /14:00/],
  ['get_moon_phase', { date: '2025-03-14' }, /^full, (99|100) %/],
  ['convert_currency', { amount: 104, from: 'USD', to: 'EUR' }, '100.00 EUR'],
  ['compute_loan', { principal: 10_000, rate: 4.5, months: 60 }, '186.43 a month, 11185.81 in all'],
  ['split_bill', { total: 84, people: 4, tip: 10 }, '23.10 each'],
  ['add_tax', { net: 100, rate: 19 }, 'tax 19.00, gross 119.00'],
  ['compute_savings', { monthly: 50, rate: 0, years: 10 }, '6000.00 after 10 years'],
  ['calculate_expression', { expression: '(2+3)*4^2' }, '80'],
  ['calculate_expression', { expression: '-2^2 + 2^3^2/4' }, '124'],
  ['calculate_expression', { expression: '1/0' }, /divides by zero/],
  ['calculate_expression', { expression: '2+x' }, /cannot be read at "x"/],
  ['convert_units', { value: 5, from: 'mile', to: 'km' }, '8.04672 km'],
  ['convert_units', { value: 5, from: 'mile', to: 'kg' }, 'mile is a length, kg a weight'],
  ['spell_number', { number: 342 }, 'three hundred and forty-two'],
  ['convert_roman', { number: 1994 }, 'MCMXCIV'],
  ['factorize_number', { number: 84 }, '2 × 2 × 3 × 7'],
  ['create_barcode', { content: 'A' }, /^<svg .*M0 0h1v40h-1z.*<\/svg>$/],
  ['create_barcode', { content: 'é' }, /Code 39 has no "É"/],
  ['generate_password', { length: 12 }, /^[a-zA-Z2-9]{12}$/],
  ['generate_uuid', { count: 2 }, /^[0-9a-f-]{36}\n[0-9a-f-]{36}$/],
  ['encode_base64', { phrase: 'hello' }, 'aGVsbG8='],
  ['encode_morse', { phrase: 'SOS now' }, '... --- ... / -. --- .--'],
  ['get_weather', { city: 'oslo', month: 7 }, 'about 18 °C'],
  ['get_weather', { city: 'Olso', month: 7 }, /Did you mean Oslo\?/],
  ['measure_distance', { from: 'Berlin', to: 'Paris' }, /^87\d km$/],
  ['get_daylight', { city: 'Oslo', day: 172 }, /^18\.\d hours$/],
  ['find_airport', { city: 'Paris' }, 'CDG'],
  ['compare_climates', { first: 'Rome', second: 'Oslo' }, 'January: Rome by 11 °C; July: Rome by 7 °C'],
  ['roll_dice', { count: 1, sides: 2 }, /^([12]) = \1$/],
  ['pick_random', { choices: ['a', 'a'] }, 'a'],
  ['scale_recipe', { amounts: [200, 3], from: 2, to: 5 }, '500, 7.5'],
  ['compute_bmi', { weight: 70, height: 175 }, '22.9, normal'],
  ['check_contrast', { foreground: '#000000', background: 'ffffff' }, '21.00: good'],
  ['validate_iban', { iban: 'DE89 3704 0044 0532 0130 00' }, 'well formed'],
  ['validate_iban', { iban: 'DE88 3704 0044 0532 0130 00' }, 'wrong check digits'],
  ['validate_isbn', { isbn: '978-0-306-40615-7' }, 'well formed'],
  ['describe_element', { symbol: 'Na' }, 'sodium, atomic number 11'],
  ['get_easter', { year: 2025 }, '2025-04-20'],
  ['get_easter', { year: 2024 }, '2024-03-31'],
  ['check_leap_year', { year: 2100 }, 'no, next 2104'],
])('%s %j gives %s', async (name, given, expected) => {
  const { text } = await run(name, given)
  if (typeof expected === 'string') expect(text).toBe(expected)
  else expect(text).toMatch(expected)
})
