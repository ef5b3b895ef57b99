import type { ReadDocument } from './read-document.js'
import type { LoadProblem } from './types.js'

type Place = Pick<LoadProblem, 'path' | 'line' | 'column'>

/**
 * The error of a file that is needed and cannot be read as text. `subject` begins the sentence; `file` is the path as seen
 * from the workspace.
 */
export function unreadableProblem(
  subject: string,
  file: string,
  document: Exclude<ReadDocument, { kind: 'text' }>,
  place: Place,
): LoadProblem {
  if (document.kind === 'binary') {
    return {
      ...place,
      severity: 'error',
      code: 'context/not-text',
      what: `${subject} ("${file}") is not a text file.`,
      why: 'Text is UTF-8, or UTF-16 with a byte order mark; this file holds NUL bytes.',
      instead: `Save "${file}" as UTF-8.`,
      details: { file },
    }
  }
  return {
    ...place,
    severity: 'error',
    code: 'context/unreadable-file',
    what: `${subject} ("${file}") could not be read.`,
    why: document.reason,
    instead: document.instead ?? `Make "${file}" readable.`,
    details: { file },
  }
}

/** The error of a required file without any text. */
export function emptyProblem(subject: string, file: string, place: Place): LoadProblem {
  return {
    ...place,
    severity: 'error',
    code: 'context/empty-input',
    what: `${subject} ("${file}") is empty.`,
    why: 'A stage that needs a text must not start without it.',
    instead: `Write "${file}", or mark the entry with "(optional)".`,
    details: { file },
  }
}

/** The warning that a file holds bytes which are no UTF-8. */
export function brokenTextProblem(file: string, brokenLine: number, place: Place): LoadProblem {
  return {
    ...place,
    severity: 'warning',
    code: 'context/broken-text',
    what: `"${file}" holds bytes that are not UTF-8, first in line ${brokenLine}; they read as \uFFFD.`,
    why: 'Text is UTF-8, or UTF-16 with a byte order mark.',
    instead: `Save "${file}" as UTF-8.`,
    details: { file, line: brokenLine },
  }
}
