import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { decoy } from './decoy.js'

const color = z
  .string()
  .regex(/^#?[0-9a-fA-F]{6}$/)
  .describe('Six hexadecimal digits, such as "#ff8800"')

const channels = (hex: string) =>
  [0, 2, 4].map((at) => Number.parseInt(hex.replace('#', '').slice(at, at + 2), 16))

const rollDice = decoy({
  name: 'roll_dice',
  description:
    'Returns a throw of dice: each number and the sum. Example: {"count": 2, "sides": 6}. Each call gives other numbers. ' +
    'Rejected: more than 20 dice, a die with one side. To choose among words call pick_random.',
  input: z.object({
    count: z.number().int().min(1).max(20).default(1).describe('How many dice'),
    sides: z.number().int().min(2).max(100).default(6).describe('Sides of each'),
  }),
  run: ({ count, sides }) => {
    const thrown = Array.from({ length: count }, () => randomInt(sides) + 1)
    return `${thrown.join(' + ')} = ${thrown.reduce((sum, number) => sum + number, 0)}`
  },
})

const pickRandom = decoy({
  name: 'pick_random',
  description:
    'Returns one of several choices, by chance and each as likely as the others. Example: {"choices": ["pizza", "soup"]}. Each ' +
    'call chooses anew. Rejected: a single choice. For numbers call roll_dice.',
  input: z.object({ choices: z.array(z.string().min(1)).min(2).max(50).describe('What to choose from') }),
  aliases: { choices: ['options', 'items', 'list'] },
  run: ({ choices }) => choices[randomInt(choices.length)] ?? '',
})

const scaleRecipe = decoy({
  name: 'scale_recipe',
  description:
    'Returns the amounts of a recipe for another number of people. Example: {"amounts": [200, 3], "from": 2, "to": 5}. The order ' +
    'stays. Rejected: words among the amounts. For other units call convert_units next.',
  input: z.object({
    amounts: z.array(z.number().min(0)).min(1).max(50).describe('Amounts of the recipe'),
    from: z.number().int().min(1).describe('People that it is for'),
    to: z.number().int().min(1).describe('People that you cook for'),
  }),
  aliases: { amounts: ['ingredients', 'quantities'], from: ['servings'], to: ['wanted'] },
  run: ({ amounts, from, to }) => amounts.map((one) => Number(((one * to) / from).toFixed(2))).join(', '),
})

const computeBmi = decoy({
  name: 'compute_bmi',
  description:
    'Returns the body mass index of an adult and what the World Health Organization calls it. Example: {"weight": 70, "height": ' +
    '175}. Rejected: pounds and feet (convert_units first). It is no diagnosis, and not made for children.',
  input: z.object({
    weight: z.number().min(20).max(400).describe('Weight in kilograms'),
    height: z.number().min(80).max(260).describe('Height in centimetres'),
  }),
  run: ({ weight, height }) => {
    const index = weight / (height / 100) ** 2
    const name = index < 18.5 ? 'underweight' : index < 25 ? 'normal' : index < 30 ? 'overweight' : 'obese'
    return `${index.toFixed(1)}, ${name}`
  },
})

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex)
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const checkContrast = decoy({
  name: 'check_contrast',
  description:
    'Returns the contrast of two colours and whether text in them can be read well (WCAG: from 4.5 on). Example: {"foreground": ' +
    '"#333333", "background": "#ffffff"}. Rejected: names such as "red". The order does not matter.',
  input: z.object({ foreground: color, background: color }),
  aliases: { foreground: ['text', 'color'], background: ['back'] },
  run: ({ foreground, background }) => {
    const [dark = 0, light = 0] = [luminance(foreground), luminance(background)].sort(
      (left, right) => left - right,
    )
    const ratio = (light + 0.05) / (dark + 0.05)
    return `${ratio.toFixed(2)}: ${ratio >= 4.5 ? 'good' : 'too low'}`
  },
})

export const everydayDecoys = [rollDice, pickRandom, scaleRecipe, computeBmi, checkContrast]
