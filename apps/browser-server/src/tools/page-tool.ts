import { z } from 'zod'

/** What every reader takes. */
export const pageInput = z.object({
  url: z.string().describe('A url from a search result or a page, copied exactly'),
})

/** What all readers declare: a read of foreign text, at most 4,000 characters, that a sandbox may use. */
export const pageTool = {
  aliases: { url: ['address', 'link', 'href', 'page', 'uri'] },
  limit: 4_000,
  idempotent: true,
  trust: 'sandbox',
  output: 'untrusted',
  addressParameters: ['url'],
  blastRadius: () => 0,
} as const

/**
 * As many lines as fit in `characters`, and how many are left over. Line breaks count.
 * Whole lines only: half an address is worse than none.
 */
export function linesThatFit(
  lines: readonly string[],
  characters: number,
): { shown: readonly string[]; left: number } {
  let used = 0
  const end = lines.findIndex((line) => {
    used += line.length + 1
    return used > characters
  })
  const shown = end === -1 ? lines : lines.slice(0, end)
  return { shown, left: lines.length - shown.length }
}
