import { z } from 'zod'
import { badArgument } from '../errors.js'
import { decoy } from './decoy.js'

const DAY_MS = 86_400_000
const date = (about: string) => z.iso.date().describe(`${about}, as 2025-03-31`)

const getWeekday = decoy({
  name: 'get_weekday',
  description:
    'Returns the day of the week of a date, in English. Works for the years 1583 to 9999. Example: {"date": "2025-03-31"} ' +
    'gives Monday. Rejected: words such as "tomorrow". For a date some days away call add_days first.',
  input: z.object({ date: date('The date') }),
  aliases: { date: ['day', 'when'] },
  run: (input) => new Date(input.date).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }),
})

const countDays = decoy({
  name: 'count_days',
  description:
    'Returns how many days lie between two dates; negative when the second is earlier, 0 for the same day. ' +
    'Example: {"from": "2025-01-01", "to": "2025-12-24"}. Rejected: times of day. For the weekday call get_weekday.',
  input: z.object({ from: date('First date'), to: date('Second date') }),
  aliases: { from: ['start'], to: ['end', 'until'] },
  run: ({ from, to }) => `${Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)} days`,
})

const addDays = decoy({
  name: 'add_days',
  description:
    'Returns the date that lies some days after another, or before it for a negative number. ' +
    'Example: {"date": "2025-02-27", "days": 3} gives 2025-03-02. Rejected: more than 100,000 days. Next: get_weekday.',
  input: z.object({
    date: date('Date to start from'),
    days: z.number().int().min(-100_000).max(100_000).describe('How many days; negative goes back'),
  }),
  run: (input) => new Date(Date.parse(input.date) + input.days * DAY_MS).toISOString().slice(0, 10),
})

const convertTimezone = decoy({
  name: 'convert_timezone',
  description:
    'Returns what the clocks of one time zone show at a moment given in UTC; summer time is considered. ' +
    'Example: {"moment": "2025-07-01T12:00:00Z", "zone": "Europe/Warsaw"} gives 14:00. Rejected: short names such as "CET".',
  input: z.object({
    moment: z.iso.datetime().describe('Moment in UTC, as 2025-07-01T12:00:00Z'),
    zone: z.string().min(1).describe('Name such as "America/New_York"'),
  }),
  aliases: { moment: ['time', 'datetime'], zone: ['timezone', 'to'] },
  run: ({ moment, zone }) => {
    try {
      return new Date(moment).toLocaleString('en-GB', { timeZone: zone })
    } catch {
      throw badArgument(
        `The time zone ${zone} was not used.`,
        'No time zone has that name.',
        'Use one like "Europe/Paris".',
      )
    }
  },
})

const getMoonPhase = decoy({
  name: 'get_moon_phase',
  description:
    'Returns the phase of the moon on a date: new, waxing, full or waning, and how much of it is lit, in percent. ' +
    'Good to about a day. Example: {"date": "2025-03-14"}. Rejected: places; the phase is the same everywhere.',
  input: z.object({ date: date('The date') }),
  run: (input) => {
    const month = 29.530588853
    const age =
      ((((Date.parse(input.date) - Date.parse('2000-01-06T18:14:00Z')) / DAY_MS) % month) + month) % month
    const lit = Math.round(((1 - Math.cos((2 * Math.PI * age) / month)) / 2) * 100)
    const names = ['new', 'waxing', 'full', 'waning'] as const
    return `${names[Math.round((age / month) * 4) % 4]}, ${lit} % lit`
  },
})

export const dateDecoys = [getWeekday, countDays, addDays, convertTimezone, getMoonPhase]
