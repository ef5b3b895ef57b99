import { describe, expect, it } from 'vitest'
import { markdownPage } from '../page/text-page.js'
import { renderStructure } from './fetch-structure.js'

const structure = (text: string, notes: readonly string[] = []) =>
  renderStructure(markdownPage({ address: 'file:///library/a.md', text, notes }))

describe('renderStructure', () => {
  it('lists the headings with their levels', () => {
    expect(structure('# Tea\n\ntext\n\n## Green\n\n### Sencha\n\n## Black')).toBe(
      'Outline of file:///library/a.md (43 characters, 4 headings)\n\n# Tea\n## Green\n### Sencha\n## Black',
    )
  })

  it('says that there are none, and names the page', () => {
    expect(structure('only text', ['Note.'])).toBe(
      'Outline of file:///library/a.md (9 characters, 0 headings)\nNote: Note.\n\n' +
        '"file:///library/a.md" has no headings. fetch_snippet shows its text.',
    )
  })

  it('leaves the lowest levels of a very long outline out, and counts them', () => {
    const section = (number: number) =>
      `## Section ${number}\n\n${Array.from({ length: 20 }, (_, index) => `### Detail number ${index} of it`).join('\n\n')}`
    const text = structure(
      `# Manual\n\n${Array.from({ length: 30 }, (_, index) => section(index)).join('\n\n')}`,
    )
    expect(text.length).toBeLessThanOrEqual(4_000)
    expect(text).toContain('## Section 0\n## Section 1\n')
    expect(text).toContain('## Section 29\n[600 more headings not shown]')
  })

  it('cuts an outline of a single level', () => {
    const text = structure(
      Array.from({ length: 500 }, (_, index) => `# Heading number ${index}`).join('\n\n'),
    )
    expect(text.length).toBeLessThanOrEqual(4_000)
    const shown = text.match(/^# Heading/gm)?.length ?? 0
    expect(text.endsWith(`[${500 - shown} more headings not shown]`)).toBe(true)
  })
})
