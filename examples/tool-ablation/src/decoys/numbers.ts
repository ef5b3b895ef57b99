import { z } from 'zod'
import { decoy } from './decoy.js'
import { evaluateExpression } from './evaluate-expression.js'

const calculateExpression = decoy({
  name: 'calculate_expression',
  description:
    'Returns the value of an arithmetic expression with + - * / ^ and parentheses. Example: {"expression": "(2+3)*4^2"} gives 80. ' +
    'Division by zero is said. Rejected: variables, functions, equations. For measures call convert_units.',
  input: z.object({ expression: z.string().min(1).max(200).describe('What to calculate') }),
  aliases: { expression: ['formula', 'input', 'calculation'] },
  run: ({ expression }) => String(evaluateExpression(expression)),
})

const UNITS: { readonly [unit: string]: readonly [kind: string, factor: number] } = {
  m: ['length', 1],
  km: ['length', 1000],
  cm: ['length', 0.01],
  mile: ['length', 1609.344],
  foot: ['length', 0.3048],
  inch: ['length', 0.0254],
  kg: ['weight', 1],
  g: ['weight', 0.001],
  pound: ['weight', 0.45359237],
  ounce: ['weight', 0.028349523125],
  l: ['volume', 1],
  ml: ['volume', 0.001],
  gallon: ['volume', 3.785411784],
}
const unit = z.enum(Object.keys(UNITS) as [string, ...string[]])

const convertUnits = decoy({
  name: 'convert_units',
  description:
    'Returns a length, weight or volume in another unit. Example: {"value": 5, "from": "mile", "to": "km"}. Units of two kinds ' +
    'cannot be converted, which is said. Rejected: temperatures, units that are not in the list. For money: convert_currency.',
  input: z.object({
    value: z.number().describe('The number to convert'),
    from: unit.describe('Unit of the number'),
    to: unit.describe('Wanted unit'),
  }),
  aliases: { value: ['amount', 'number'], from: ['source', 'fromUnit'], to: ['target', 'toUnit'] },
  run: ({ value, from, to }) => {
    const [kind, factor] = UNITS[from] ?? ['', 1]
    const [otherKind, divisor] = UNITS[to] ?? ['', 1]
    return kind === otherKind
      ? `${Number(((value * factor) / divisor).toPrecision(8))} ${to}`
      : `${from} is a ${kind}, ${to} a ${otherKind}`
  },
})

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function spell(number: number): string {
  if (number < 20) return ONES[number] ?? ''
  const rest = (size: number, glue: string) => (number % size === 0 ? '' : glue + spell(number % size))
  if (number < 100) return `${TENS[Math.floor(number / 10)]}${rest(10, '-')}`
  if (number < 1000) return `${spell(Math.floor(number / 100))} hundred${rest(100, ' and ')}`
  return `${spell(Math.floor(number / 1000))} thousand${rest(1000, ' ')}`
}

const spellNumber = decoy({
  name: 'spell_number',
  description:
    'Returns a whole number in English words, as on a cheque. Example: {"number": 342} gives "three hundred and forty-two". ' +
    'Rejected: negative numbers, a million and more, fractions. For Roman numerals call convert_roman.',
  input: z.object({ number: z.number().int().min(0).max(999_999).describe('The number') }),
  aliases: { number: ['value', 'n'] },
  run: ({ number }) => spell(number),
})

const ROMAN: readonly (readonly [string, number])[] = Object.entries({
  M: 1000,
  CM: 900,
  D: 500,
  CD: 400,
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
})

const convertRoman = decoy({
  name: 'convert_roman',
  description:
    'Returns a whole number as a Roman numeral. Example: {"number": 1994} gives MCMXCIV. Rejected: 0, negative numbers, 4000 ' +
    'and more, which the Romans had no sign for. For words call spell_number.',
  input: z.object({ number: z.number().int().min(1).max(3999).describe('The number') }),
  aliases: { number: ['value', 'n'] },
  run: (input) => {
    let rest = input.number
    return ROMAN.map(([sign, value]) => {
      const times = Math.floor(rest / value)
      rest -= times * value
      return sign.repeat(times)
    }).join('')
  },
})

const factorizeNumber = decoy({
  name: 'factorize_number',
  description:
    'Returns the prime factors of a whole number in ascending order; a prime comes back alone. Example: {"number": 84} gives ' +
    '2 × 2 × 3 × 7. Rejected: numbers under 2 and over a billion. To multiply them call calculate_expression.',
  input: z.object({ number: z.number().int().min(2).max(1_000_000_000).describe('The number') }),
  aliases: { number: ['value', 'n'] },
  run: (input) => {
    const factors: number[] = []
    let rest = input.number
    for (let factor = 2; factor * factor <= rest; factor++) {
      for (; rest % factor === 0; rest /= factor) factors.push(factor)
    }
    return [...factors, ...(rest > 1 ? [rest] : [])].join(' × ')
  },
})

export const numberDecoys = [calculateExpression, convertUnits, spellNumber, convertRoman, factorizeNumber]
