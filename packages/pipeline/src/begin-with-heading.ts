/**
 * An item's text, beginning with the item's heading at level 2. Small models forget it, write it at another level, or
 * copy the prompt's line above it; without it the joined file loses its parts.
 */
export function beginWithHeading(text: string, { item, heading }: { item: string; heading: string }): string {
  const lines = text.split('\n')
  if (headingText(lines[0]) === `The ${item} to write now`) lines.shift()
  while (lines[0]?.trim() === '') lines.shift()
  const first = headingText(lines[0])
  if (first === heading) return [`## ${heading}`, ...lines.slice(1)].join('\n')
  return first === undefined ? [`## ${heading}`, '', ...lines].join('\n') : lines.join('\n')
}

/** Whether a text has no line but headings and blank ones. */
export function isOnlyHeadings(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || headingText(line) !== undefined)
}

function headingText(line: string | undefined): string | undefined {
  return /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line ?? '')?.[1]
}
