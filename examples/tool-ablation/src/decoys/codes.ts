import { randomInt, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { decoy } from './decoy.js'
import { drawBarcode } from './draw-barcode.js'

const text = (about: string) => z.string().min(1).max(500).describe(about)

const createBarcode = decoy({
  name: 'create_barcode',
  description:
    'Returns a bar code (Code 39) as an SVG picture that scanners read. Example: {"content": "ART-4711"}. Small letters become ' +
    'capital ones. Rejected: more than 20 characters, signs other than letters, digits, space and - . $ / + %.',
  input: z.object({ content: z.string().min(1).max(20).describe('What the code says') }),
  aliases: { content: ['text', 'data', 'value'] },
  run: ({ content }) => drawBarcode(content),
})

const generatePassword = decoy({
  name: 'generate_password',
  description:
    'Returns a new random password of letters and digits that are easy to tell apart (no 0 and O, no 1 and l). ' +
    'Example: {"length": 16}. Rejected: under 8 and over 64 characters. Nothing is stored. For an id call generate_uuid.',
  input: z.object({ length: z.number().int().min(8).max(64).default(16).describe('Number of characters') }),
  run: ({ length }) => {
    const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
    return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
  },
})

const generateUuid = decoy({
  name: 'generate_uuid',
  description:
    'Returns new random identifiers (UUID version 4), one a line. Example: {"count": 3}. Without "count" it is one. Rejected: ' +
    'more than 20 at once. They say nothing about what they name. For a secret call generate_password.',
  input: z.object({ count: z.number().int().min(1).max(20).default(1).describe('How many') }),
  run: ({ count }) => Array.from({ length: count }, () => randomUUID()).join('\n'),
})

const encodeBase64 = decoy({
  name: 'encode_base64',
  description:
    'Returns a short text in base64, as mail programs and web addresses want it. Example: {"phrase": "hello"} gives aGVsbG8=. ' +
    'Accents and emoji are kept (UTF-8). Rejected: more than 500 characters. It is no encryption.',
  input: z.object({ phrase: text('The text to encode') }),
  aliases: { phrase: ['text', 'input', 'data'] },
  run: ({ phrase }) => Buffer.from(phrase).toString('base64'),
})

const MORSE =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  )

const encodeMorse = decoy({
  name: 'encode_morse',
  description:
    'Returns a text in Morse code: letters divided by a space, words by " / ". Example: {"phrase": "SOS"} gives ... --- .... ' +
    'What has no sign is left out. Rejected: more than 500 characters. For machines call encode_base64.',
  input: z.object({ phrase: text('The text to encode') }),
  aliases: { phrase: ['text', 'input', 'message'] },
  run: ({ phrase }) =>
    phrase
      .toUpperCase()
      .split(/\s+/)
      .map((word) => [...word].flatMap((letter) => MORSE[letter.charCodeAt(0) - 65] ?? []).join(' '))
      .join(' / '),
})

export const codeDecoys = [createBarcode, generatePassword, generateUuid, encodeBase64, encodeMorse]
