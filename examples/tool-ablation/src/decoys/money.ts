import { z } from 'zod'
import { decoy } from './decoy.js'

/** Units of a currency for one euro; rounded rates of the start of 2025. */
const RATES = {
  EUR: 1,
  USD: 1.04,
  GBP: 0.83,
  CHF: 0.94,
  JPY: 162,
  PLN: 4.27,
  SEK: 11.5,
  CZK: 25.2,
  CAD: 1.49,
}
const currency = z.enum(Object.keys(RATES) as [keyof typeof RATES, ...(keyof typeof RATES)[]])
const amount = z.number().min(0).describe('An amount of money, without a currency sign')
const round = (value: number) => value.toFixed(2)

const convertCurrency = decoy({
  name: 'convert_currency',
  description:
    'Returns an amount of money in another currency, at fixed rates of January 2025. Example: {"amount": 20, "from": "USD", ' +
    '"to": "EUR"}. Rejected: currencies that are not in the list, negative amounts. Do not use it for measures: convert_units.',
  input: z.object({
    amount,
    from: currency.describe('Code of the given currency'),
    to: currency.describe('Wanted one'),
  }),
  aliases: { from: ['source'], to: ['target'], amount: ['value', 'money'] },
  run: (input) => `${round((input.amount / RATES[input.from]) * RATES[input.to])} ${input.to}`,
})

const computeLoan = decoy({
  name: 'compute_loan',
  description:
    'Returns the monthly payment of a loan and what it costs in all, for equal payments. Example: {"principal": 10000, "rate": ' +
    '4.5, "months": 60}. A rate of 0 is allowed. Rejected: rates over 100. For a tax call add_tax.',
  input: z.object({
    principal: amount,
    rate: z.number().min(0).max(100).describe('Interest of a year in percent'),
    months: z.number().int().min(1).max(600).describe('How many monthly payments'),
  }),
  aliases: { principal: ['amount', 'loan'], rate: ['interest'], months: ['term', 'duration'] },
  run: ({ principal, rate, months }) => {
    const monthly = rate / 1200
    const payment =
      monthly === 0 ? principal / months : (principal * monthly) / (1 - (1 + monthly) ** -months)
    return `${round(payment)} a month, ${round(payment * months)} in all`
  },
})

const splitBill = decoy({
  name: 'split_bill',
  description:
    'Returns what each of several people pays of a bill, the tip included. Example: {"total": 84, "people": 4, "tip": 10}. ' +
    'Without "tip" there is none. Rejected: no people at all. For other currencies call convert_currency next.',
  input: z.object({
    total: amount,
    people: z.number().int().min(1).describe('How many pay'),
    tip: z.number().min(0).max(100).default(0).describe('Tip in percent'),
  }),
  run: ({ total, people, tip }) => `${round((total * (1 + tip / 100)) / people)} each`,
})

const addTax = decoy({
  name: 'add_tax',
  description:
    'Returns a net price with its value added tax: tax and gross price. Example: {"net": 100, "rate": 19}. Rejected: gross ' +
    'prices, negative ones. A rate of 0 gives the price unchanged. To divide the result call split_bill.',
  input: z.object({ net: amount, rate: z.number().min(0).max(100).describe('Tax in percent') }),
  aliases: { net: ['price', 'amount'], rate: ['percent', 'tax'] },
  run: ({ net, rate }) => `tax ${round((net * rate) / 100)}, gross ${round(net * (1 + rate / 100))}`,
})

const computeSavings = decoy({
  name: 'compute_savings',
  description:
    'Returns what monthly savings come to with interest paid each month. Example: {"monthly": 50, "rate": 2, "years": 10}. ' +
    'A rate of 0 only adds up. Rejected: more than 80 years. For what a loan costs call compute_loan.',
  input: z.object({
    monthly: amount,
    rate: z.number().min(0).max(100).describe('Interest of a year in percent'),
    years: z.number().int().min(1).max(80).describe('How long'),
  }),
  run: ({ monthly, rate, years }) => {
    let saved = 0
    for (let month = 0; month < years * 12; month++) saved = (saved + monthly) * (1 + rate / 1200)
    return `${round(saved)} after ${years} years`
  },
})

export const moneyDecoys = [convertCurrency, computeLoan, splitBill, addTax, computeSavings]
