/**
 * The candidate nearest to `name`, or undefined when none is near enough to be a typing error.
 * Distance: Damerau-Levenshtein (optimal string alignment) over lower-cased text, at most a third of the
 * longer name's length; a candidate that contains the name, or the reverse, counts as near.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const other = candidate.toLowerCase()
    const contained =
      wanted.length >= 3 && (other.includes(wanted) || (other.length >= 3 && wanted.includes(other)))
    const distance = contained ? 1 : editDistance(wanted, other)
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3))
    if (distance <= allowed && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length] ?? 0
}
