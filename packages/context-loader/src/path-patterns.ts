/** One placeholder of a path (a global pattern). */
export const placeholderPattern =
  /\[[^\]/]*\]|<[^<>/]*>|\{\{[^{}/]*\}\}|\{[^{}/,]*\}|(?<![A-Za-z0-9])YYYY-MM-DD(?![A-Za-z0-9])/g

/** Whether a path holds a placeholder such as `[slug]`, `<slug>`, `{slug}`, `{{SLUG}}` or a date. */
export function hasPlaceholder(path: string): boolean {
  return path.search(placeholderPattern) >= 0
}

/** Whether a path stands for several files: a placeholder or `*`. */
export function isPattern(path: string): boolean {
  return path.includes('*') || hasPlaceholder(path)
}

/** Matches one path segment; every placeholder and every `*` is one wildcard that is never empty. */
export function segmentPattern(segment: string): RegExp {
  const parts = segment.replace(placeholderPattern, '*').split(/\*+/)
  const source = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^/]+')
  return new RegExp(`^${source}$`)
}

/** Whether two paths can name one file: as many segments, and each pair equal or matched by a wildcard. */
export function samePlace(left: string, right: string): boolean {
  const [lefts, rights] = [left.split('/'), right.split('/')]
  if (lefts.length !== rights.length) return false
  return lefts.every((segment, index) => sameSegment(segment, rights[index] ?? ''))
}

function sameSegment(left: string, right: string): boolean {
  if (left === right) return true
  const [plainLeft, plainRight] = [
    left.replace(placeholderPattern, '*'),
    right.replace(placeholderPattern, '*'),
  ]
  if (plainLeft === plainRight) return true
  if (plainLeft.includes('*') && segmentPattern(left).test(plainRight)) return true
  return plainRight.includes('*') && segmentPattern(right).test(plainLeft)
}
