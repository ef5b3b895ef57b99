import type { ConsentRequest } from './types.js'

// Whatever a terminal obeys or a person does not see: control and format characters, fillers, variation selectors.
const UNSEEN =
  /(?!\n)(?:\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|[\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])/gu

/** A text with every character made visible that a terminal would obey or a person not see: `\u{1b}` for an escape. */
export function showUnseen(text: string): string {
  return text.toWellFormed().replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/**
 * All that a person must see before agreeing, one fact a line: the exact arguments as JSON, never cut, with line breaks
 * as `\n` and whatever is hidden made visible (field report D07).
 */
export function describeConsent(request: ConsentRequest): string {
  const { toolName, objects, level, dryRun, backup, readBefore } = request
  const count =
    objects === undefined
      ? 'an unknown number of objects'
      : `${objects} ${objects === 1 ? 'object' : 'objects'}`
  const lines = [
    `Tool: ${toolName}`,
    `Would change: ${count} (${level})${request.irreversible ? ', and cannot be undone' : ''}`,
    `Why you are asked: ${request.reason}`,
    'Arguments:',
    ...Object.entries(request.arguments).map(
      ([name, value]) => `  ${showUnseen(name)} = ${JSON.stringify(value)}`,
    ),
    dryRun === undefined ? 'Dry run: none' : `Dry run:\n${indent(dryRun)}`,
    `Backup: ${backup ?? 'none'}`,
    ...(readBefore.length === 0 ? [] : [`Foreign text read before: ${readBefore.join(', ')}`]),
  ]
  return showUnseen(lines.join('\n'))
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
