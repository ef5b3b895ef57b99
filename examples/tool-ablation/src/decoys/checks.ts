import { z } from 'zod'
import { decoy } from './decoy.js'

const validateIban = decoy({
  name: 'validate_iban',
  description:
    'Returns whether an international bank account number is well formed: its length and check digits. Spaces do not count. ' +
    'Example: {"iban": "DE89 3704 0044 0532 0130 00"}. Rejected: account numbers of one country. It does not ask the bank.',
  input: z.object({ iban: z.string().min(5).max(50).describe('The account number') }),
  aliases: { iban: ['account', 'number'] },
  run: ({ iban }) => {
    const plain = iban.replaceAll(/\s/g, '').toUpperCase()
    if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain))
      return 'not an IBAN: letters, digits or length are wrong'
    const digits = (plain.slice(4) + plain.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
      String(letter.charCodeAt(0) - 55),
    )
    return BigInt(digits) % 97n === 1n ? 'well formed' : 'wrong check digits'
  },
})

const validateIsbn = decoy({
  name: 'validate_isbn',
  description:
    'Returns whether the number of a book (ISBN with 13 digits) has the right check digit. Hyphens do not count. Example: ' +
    '{"isbn": "978-0-306-40615-7"}. Rejected: ten-digit numbers of old books. It knows no titles.',
  input: z.object({ isbn: z.string().min(13).max(20).describe('The number') }),
  aliases: { isbn: ['number', 'code', 'book'] },
  run: ({ isbn }) => {
    const digits = isbn.replaceAll(/[\s-]/g, '')
    if (!/^\d{13}$/.test(digits)) return 'not 13 digits'
    const sum = [...digits].reduce(
      (total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3),
      0,
    )
    return sum % 10 === 0 ? 'well formed' : 'wrong check digit'
  },
})

const ELEMENTS =
  'H hydrogen He helium Li lithium Be beryllium B boron C carbon N nitrogen O oxygen F fluorine Ne neon Na sodium Mg magnesium Al aluminium Si silicon P phosphorus S sulfur Cl chlorine Ar argon K potassium Ca calcium'.split(
    ' ',
  )

const describeElement = decoy({
  name: 'describe_element',
  description:
    'Returns name and atomic number of a chemical element from its symbol, for the first 20 elements. Example: {"symbol": "Na"}. ' +
    'Others are said to be unknown. Rejected: formulas such as "H2O". Upper and lower case count.',
  input: z.object({ symbol: z.string().min(1).max(2).describe('Symbol of the element') }),
  aliases: { symbol: ['element', 'name'] },
  run: ({ symbol }) => {
    const at = ELEMENTS.findIndex((word, place) => place % 2 === 0 && word === symbol)
    return at < 0 ? 'unknown here' : `${ELEMENTS[at + 1]}, atomic number ${at / 2 + 1}`
  },
})

const getEaster = decoy({
  name: 'get_easter',
  description:
    'Returns the date of Easter Sunday of a year in the Gregorian calendar. Example: {"year": 2025} gives 2025-04-20. Rejected: ' +
    'years before 1583; the Orthodox date is another one. For days around it call add_days.',
  input: z.object({ year: z.number().int().min(1583).max(4099).describe('The year') }),
  run: ({ year }) => {
    const golden = year % 19
    const century = Math.floor(year / 100)
    const moon =
      (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
    const full =
      moon - Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11))
    const weekday = (year + Math.floor(year / 4) + full + 2 - century + Math.floor(century / 4)) % 7
    const day = full - weekday
    return new Date(Date.UTC(year, 2, 28 + day)).toISOString().slice(0, 10)
  },
})

const checkLeapYear = decoy({
  name: 'check_leap_year',
  description:
    'Returns whether a year has a 29th of February, and which leap year comes next. Example: {"year": 2100} gives no, next 2104. ' +
    'Rejected: years before 1583. For the days between two dates call count_days.',
  input: z.object({ year: z.number().int().min(1583).max(9990).describe('The year') }),
  run: ({ year }) => {
    const isLeap = (one: number) => (one % 4 === 0 && one % 100 !== 0) || one % 400 === 0
    let next = year + 1
    while (!isLeap(next)) next++
    return `${isLeap(year) ? 'yes' : 'no'}, next ${next}`
  },
})

export const checkDecoys = [validateIban, validateIsbn, describeElement, getEaster, checkLeapYear]
