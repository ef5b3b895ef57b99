import { badArgument } from '../errors.js'

/** The signs of Code 39 (ISO/IEC 16388) and their bars and gaps in turn: 1 is wide, 0 narrow. */
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. *$/+%'
const CORES =
  '000110100 100100001 001100001 101100000 000110001 100110000 001110000 000100101 100100100 001100100 ' +
  '100001001 001001001 101001000 000011001 100011000 001011000 000001101 100001100 001001100 000011100 ' +
  '100000011 001000011 101000010 000010011 100010010 001010010 000000111 100000110 001000110 000010110 ' +
  '110000001 011000001 111000000 010010001 110010000 011010000 010000101 110000100 011000100 010010100 ' +
  '010101000 010100010 010001010 000101010'
const PATTERNS = CORES.split(' ')
const WIDE = 3

/** A text as a bar code in SVG, with the start and stop sign. Throws for signs that Code 39 does not have. */
export function drawBarcode(content: string): string {
  const signs = `*${content.toUpperCase()}*`
  const bars: string[] = []
  let x = 0
  for (const sign of signs) {
    const pattern = PATTERNS[SIGNS.indexOf(sign)]
    if (pattern === undefined || (sign === '*' && x > 0 && bars.length < (signs.length - 1) * 5))
      throw noSign(sign)
    for (const [place, width] of [...pattern].entries()) {
      const wide = width === '1' ? WIDE : 1
      if (place % 2 === 0) bars.push(`M${x} 0h${wide}v40h-${wide}z`)
      x += wide
    }
    x += 1
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 ${x + 20} 40"><path d="${bars.join('')}"/></svg>`
}

function noSign(sign: string) {
  return badArgument(
    'The bar code was not drawn.',
    `Code 39 has no ${JSON.stringify(sign)}.`,
    'Leave it out.',
  )
}
