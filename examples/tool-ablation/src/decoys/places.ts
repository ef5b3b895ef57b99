import { nearestName } from '@icm/errors'
import { z } from 'zod'
import { badArgument } from '../errors.js'
import { decoy } from './decoy.js'

/** Latitude, longitude, mean temperature of January and of July in °C, airport. */
const CITIES: { readonly [city: string]: readonly [number, number, number, number, string] } = {
  Berlin: [52.52, 13.41, 1, 20, 'BER'],
  London: [51.51, -0.13, 6, 19, 'LHR'],
  Madrid: [40.42, -3.7, 6, 26, 'MAD'],
  Oslo: [59.91, 10.75, -3, 18, 'OSL'],
  Paris: [48.86, 2.35, 5, 21, 'CDG'],
  Rome: [41.9, 12.5, 8, 25, 'FCO'],
  Tokyo: [35.68, 139.69, 5, 26, 'HND'],
  Sydney: [-33.87, 151.21, 23, 13, 'SYD'],
  'New York': [40.71, -74.01, 1, 25, 'JFK'],
  Warsaw: [52.23, 21.01, -1, 20, 'WAW'],
}
const city = (about: string) => z.string().min(1).describe(`${about}, such as "Oslo"`)
const radians = (degrees: number) => (degrees * Math.PI) / 180

function findCity(asked: string) {
  const name = Object.keys(CITIES).find((known) => known.toLowerCase() === asked.trim().toLowerCase())
  const found = name === undefined ? undefined : CITIES[name]
  if (found !== undefined) return found
  const nearest = nearestName(asked, Object.keys(CITIES))
  throw badArgument(
    `${asked} was not found.`,
    `The cities are: ${Object.keys(CITIES).join(', ')}.`,
    nearest === undefined ? 'Use one of these.' : `Did you mean ${nearest}?`,
  )
}

const getWeather = decoy({
  name: 'get_weather',
  description:
    'Returns the usual temperature of a month in a city, from a table of climates; it is no forecast. Example: {"city": "Oslo", ' +
    '"month": 7}. Rejected: cities that are not in the table, which is then said. For the way there call measure_distance.',
  input: z.object({
    city: city('A city'),
    month: z.number().int().min(1).max(12).describe('Month, 1 to 12'),
  }),
  aliases: { city: ['location', 'place', 'town'] },
  run: (input) => {
    const [, , january, july] = findCity(input.city)
    const share = (1 - Math.cos(((input.month - 1) * Math.PI) / 6)) / 2
    return `about ${Math.round(january + (july - january) * share)} °C`
  },
})

const measureDistance = decoy({
  name: 'measure_distance',
  description:
    'Returns the distance of two cities as the crow flies, in kilometres. Example: {"from": "Oslo", "to": "Rome"}. Rejected: ' +
    'streets and addresses, cities that are not in the table. For miles call convert_units next.',
  input: z.object({ from: city('First city'), to: city('Second city') }),
  aliases: { from: ['start', 'origin'], to: ['end', 'destination'] },
  run: ({ from, to }) => {
    const [latitude, longitude] = findCity(from)
    const [otherLatitude, otherLongitude] = findCity(to)
    const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
    const part =
      half(otherLatitude - latitude) +
      Math.cos(radians(latitude)) * Math.cos(radians(otherLatitude)) * half(otherLongitude - longitude)
    return `${Math.round(2 * 6371 * Math.asin(Math.sqrt(part)))} km`
  },
})

const getDaylight = decoy({
  name: 'get_daylight',
  description:
    'Returns how many hours the sun is up in a city on a day of the year, to about ten minutes. Example: {"city": "Oslo", "day": ' +
    '172} for the 21st of June. Rejected: dates as text; cities that are not in the table. For the moon: get_moon_phase.',
  input: z.object({
    city: city('A city'),
    day: z.number().int().min(1).max(366).describe('Day of the year'),
  }),
  aliases: { city: ['location', 'place'], day: ['dayOfYear'] },
  run: (input) => {
    const [latitude] = findCity(input.city)
    const tilt = radians(-23.44 * Math.cos((2 * Math.PI * (input.day + 10)) / 365))
    const cosine = -Math.tan(radians(latitude)) * Math.tan(tilt)
    return `${((24 / Math.PI) * Math.acos(Math.max(-1, Math.min(1, cosine)))).toFixed(1)} hours`
  },
})

const findAirport = decoy({
  name: 'find_airport',
  description:
    'Returns the three-letter code of the largest airport of a city. Example: {"city": "Paris"} gives CDG. Rejected: countries, ' +
    'cities that are not in the table, which is then said. It knows no flights and prices.',
  input: z.object({ city: city('A city') }),
  aliases: { city: ['location', 'place', 'town'] },
  run: (input) => findCity(input.city)[4],
})

const compareClimates = decoy({
  name: 'compare_climates',
  description:
    'Returns which of two cities is warmer in winter and in summer, and by how much. Example: {"first": "Rome", "second": ' +
    '"Oslo"}. Rejected: cities that are not in the table. For a single month call get_weather.',
  input: z.object({ first: city('First city'), second: city('Second city') }),
  run: ({ first, second }) => {
    const [, , january, july] = findCity(first)
    const [, , otherJanuary, otherJuly] = findCity(second)
    const say = (season: string, left: number, right: number) =>
      `${season}: ${left === right ? 'equal' : `${left > right ? first : second} by ${Math.abs(left - right)} °C`}`
    return `${say('January', january, otherJanuary)}; ${say('July', july, otherJuly)}`
  },
})

export const placeDecoys = [getWeather, measureDistance, getDaylight, findAirport, compareClimates]
