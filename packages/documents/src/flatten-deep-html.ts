// Real pages stay below a hundred. Parsing and searching a tree costs its depth again for every element, so a page
// of a few hundred kilobytes that only nests would keep the process busy for minutes.
const deepestNesting = 150

// Elements that end without an end tag, which old pages leave out.
const unclosed = new Set(
  (
    'area base br col embed hr img input link meta source track wbr ' +
    'p li dt dd td th tr thead tbody tfoot option optgroup colgroup rp rt'
  ).split(' '),
)

/**
 * HTML as it is, unless its elements are nested deeper than 150: then only its text, as one paragraph, without
 * scripts and styles.
 */
export function flattenDeepHtml(html: string): string {
  const texts: string[] = []
  let depth = 0
  let deepest = 0
  let end = 0
  let raw: string | undefined
  for (const tag of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)[^<>]*>/gi)) {
    const [whole, slash, given = ''] = tag
    const name = given.toLowerCase()
    if (raw !== undefined && !(slash === '/' && name === raw)) continue
    if (raw === undefined) texts.push(html.slice(end, tag.index))
    end = tag.index + whole.length
    raw = slash === '' && (name === 'script' || name === 'style') ? name : undefined
    if (unclosed.has(name) || whole.endsWith('/>')) continue
    depth = Math.max(0, depth + (slash === '' ? 1 : -1))
    deepest = Math.max(deepest, depth)
  }
  if (deepest <= deepestNesting) return html
  if (raw === undefined) texts.push(html.slice(end))
  return `<body><p>${texts.join(' ').replaceAll('<', '&lt;')}</p></body>`
}
