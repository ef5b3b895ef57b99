import { describe, expect, it } from 'vitest'
import { markdownPage, textPage } from '../page/text-page.js'
import { renderSnippet } from './fetch-snippet.js'

const address = 'file:///library/a.md'
const snippet = (text: string, notes: readonly string[] = []) =>
  renderSnippet(markdownPage({ address, text, notes }))

describe('renderSnippet', () => {
  it('gives a short page whole, with its address and notes', () => {
    expect(snippet('# Tea\n\nGreen.')).toBe('Page: file:///library/a.md (whole page)\n\n# Tea\n\nGreen.')
    expect(snippet('x', ['One.', 'Two.'])).toBe(
      'Page: file:///library/a.md (whole page)\nNote: One.\nNote: Two.\n\nx',
    )
  })

  it('gives everything that fits: up to the last character', () => {
    const room = 4_000 - snippet('').length
    const fits = `${'word '.repeat(1_000).slice(0, room - 1)}x`
    expect(snippet(fits)).toHaveLength(4_000)
    expect(snippet(fits)).toContain('(whole page)')
    expect(snippet(`${fits}y`)).toContain('The page goes on')
  })

  it('cuts a long page at a paragraph, and says how much is left and what to call', () => {
    const text = Array.from({ length: 100 }, (_, index) =>
      `Paragraph ${index} ${'word '.repeat(20)}`.trim(),
    ).join('\n\n')
    const result = snippet(text)
    expect(result.length).toBeLessThanOrEqual(4_000)
    expect(
      result.startsWith(
        `Page: ${address} (the beginning; ${text.length.toLocaleString('en-US')} characters in all)\n\nParagraph 0 `,
      ),
    ).toBe(true)
    const [body = '', marker = ''] = result.split('\n\n[The page goes on: ')
    const shown = body.slice(body.indexOf('\n\n') + 2)
    expect(text.startsWith(`${shown}\n\n`)).toBe(true)
    expect(marker).toBe(
      `${(text.length - shown.length).toLocaleString('en-US')} more characters are not shown. fetch_structure lists its headings.]`,
    )
    expect(shown.length).toBeGreaterThan(3_500)
  })

  it('leaves no code fence open', () => {
    const result = snippet(`# Code\n\n\`\`\`\n${'line of code\n'.repeat(1_000)}\`\`\`\n`)
    expect(result).toContain('line of code\n```\n\n[The page goes on: ')
    expect(result.length).toBeLessThanOrEqual(4_000)
  })

  it.each([
    ['one endless line', 'x'.repeat(10_000)],
    ['emoji', '👩‍👩‍👧'.repeat(2_000)],
    ['fences only', '```\n'.repeat(3_000)],
    ['long notes', 'x'],
  ])('never exceeds 4,000 characters: %s', (name, text) => {
    const notes = name === 'long notes' ? Array.from({ length: 5 }, () => 'note '.repeat(100)) : []
    const result = renderSnippet(textPage({ address: `https://site.test/${'p'.repeat(300)}`, text, notes }))
    expect(result.length).toBeLessThanOrEqual(4_000)
    expect(result).not.toMatch(/\p{Surrogate}/u)
  })
})
