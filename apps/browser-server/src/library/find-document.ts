import type { LibraryDocument } from '@icm/documents'

/** What a model's wording of a document may mean. */
export type DocumentReading =
  | { readonly kind: 'one'; readonly path: string }
  | { readonly kind: 'several'; readonly paths: readonly string[] }
  | { readonly kind: 'none' }

const mostNamed = 6

/**
 * Reads a wording – a path with or without folders and extension, in any case – as documents of the library.
 * The narrowest way of reading it that fits any document decides; nothing is guessed from likeness.
 */
export function findDocument(wording: string, documents: readonly LibraryDocument[]): DocumentReading {
  const asked = foldPath(wording)
  const inside = asked.replace(/^library\//, '')
  const name = lastPart(asked)
  // `site.org/tea` can also be a page of that site: only its whole path makes it a document.
  const isLikeWeb = /^[^/]+\.[^/.]{2,}\//.test(asked)
  const ways: readonly ((path: string) => boolean)[] = [
    (path) => path === asked || path === inside,
    (path) => withoutExtension(path) === withoutExtension(inside),
    (path) => !isLikeWeb && lastPart(path) === name,
    (path) => !isLikeWeb && withoutExtension(lastPart(path)) === withoutExtension(name),
  ]
  for (const fits of name === '' ? [] : ways) {
    const paths = documents.map(({ path }) => path).filter((path) => fits(foldPath(path)))
    if (paths[0] !== undefined) {
      return paths.length === 1
        ? { kind: 'one', path: paths[0] }
        : { kind: 'several', paths: paths.slice(0, mostNamed) }
    }
  }
  return { kind: 'none' }
}

/** The documents whose names are most like a name, best first, at most six; the first ones when none is like it. */
export function nearestDocuments(name: string, documents: readonly LibraryDocument[]): readonly string[] {
  const asked = pairs(withoutExtension(lastPart(foldPath(name))))
  const ranked = documents
    .map(({ path }) => ({
      path,
      likeness: likeness(asked, pairs(withoutExtension(lastPart(foldPath(path))))),
    }))
    .sort((left, right) => right.likeness - left.likeness)
  const alike = ranked.filter((entry) => entry.likeness >= 0.25)
  return (alike.length > 0 ? alike : ranked).slice(0, mostNamed).map((entry) => entry.path)
}

/** Text as it is compared: one case, one Unicode form, spaces and `_` as `-`, no `./` in front, no `/` behind. */
export function foldPath(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/^(?:\.{0,2}\/)+|\/+$/g, '')
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function withoutExtension(path: string): string {
  return path.replace(/\.(md|markdown|txt|html?)$/, '')
}

function pairs(text: string): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)),
  )
}

/** Dice coefficient of the letter pairs: 1 for the same, 0 for nothing in common. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size + right.size === 0) return 0
  const shared = [...left].filter((pair) => right.has(pair)).length
  return (2 * shared) / (left.size + right.size)
}
