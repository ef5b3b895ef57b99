import { describe, expect, it } from 'vitest'
import type { Page, PageLink } from '../types.js'
import { renderLinks } from './fetch-urls.js'

const page = (links: readonly PageLink[], notes: readonly string[] = []): Page => ({
  address: 'https://site.test/',
  title: 'T',
  notes,
  text: () => '',
  headings: () => [],
  links: () => links,
})
const link = (number: number, extra: Partial<PageLink> = {}): PageLink => ({
  text: `Label ${number}`,
  url: `https://site.test/page/${number}`,
  inText: true,
  ...extra,
})

describe('renderLinks', () => {
  it('writes one line per link: label, address', () => {
    expect(renderLinks(page([link(1), link(2, { text: 'https://site.test/page/2' })]))).toBe(
      'Links of https://site.test/ (2)\n\n- Label 1: https://site.test/page/1\n- https://site.test/page/2',
    )
  })

  it('sets the links of menus apart', () => {
    expect(renderLinks(page([link(1), link(2, { inText: false })]))).toContain('/1\nIn menus:\n- Label 2')
    expect(renderLinks(page([link(2, { inText: false })]))).not.toContain('menus')
  })

  it('says that there are none, and how many lead nowhere', () => {
    expect(renderLinks(page([], ['Note.']))).toBe(
      'Links of https://site.test/ (0)\nNote: Note.\n\nThe page has no links to other pages.',
    )
    expect(renderLinks(page([link(1, { missing: true }), link(2)]))).toBe(
      'Links of https://site.test/ (1)\nNote: 1 link to files that are not in the library left out.\n\n- Label 2: https://site.test/page/2',
    )
  })

  it('keeps within 4,000 characters with whole lines, and counts what is left over', () => {
    const all = Array.from({ length: 500 }, (_, index) => link(index, { text: 'word '.repeat(15).trim() }))
    const text = renderLinks(page(all))
    expect(text.length).toBeLessThanOrEqual(4_000)
    const shown = text.match(/^- .*https:\/\/site\.test\/page\/\d+$/gm) ?? []
    expect(shown.length).toBeGreaterThan(30)
    expect(text.endsWith(`\n[${500 - shown.length} more links not shown]`)).toBe(true)
  })
})
