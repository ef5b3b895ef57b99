import type { LoadProblem } from './types.js'
import { baseOf } from './workspace-paths.js'

/** What can be wrong with a workspace's folders; paths are absolute. */
export type Fault =
  | { readonly kind: 'no-contract' | 'two-contracts' | 'two-identities' | 'escapes'; readonly path: string }
  | { readonly kind: 'same-number' | 'second-container'; readonly path: string; readonly other: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly reason: string }

/** A fault as a problem; `relative` shows a path as seen from the workspace. */
export function faultProblem(fault: Fault, relative: (path: string) => string): LoadProblem {
  const path = relative(fault.path)
  const at = { path, line: 1, column: 1 }
  switch (fault.kind) {
    case 'no-contract':
      return {
        ...at,
        severity: 'warning',
        code: 'context/no-contract',
        what: `"${path}" has a number but no contract; it is not a stage.`,
        why: 'A stage is a numbered folder with a CONTEXT.md.',
        instead: `Write "${path}/CONTEXT.md", or rename the folder.`,
      }
    case 'two-contracts':
      return {
        ...at,
        severity: 'warning',
        code: 'context/two-contracts',
        what: `"${path}" has more than one contract, differing only in case.`,
        why: 'Some disks cannot hold both; CONTEXT.md wins.',
        instead: 'Keep CONTEXT.md and delete the other.',
      }
    case 'two-identities':
      return {
        ...at,
        severity: 'warning',
        code: 'context/two-identities',
        what: 'The workspace has both CLAUDE.md and AGENTS.md; CLAUDE.md was taken.',
        why: 'Layer 0 is one file.',
        instead: 'Delete the one that is not meant.',
      }
    case 'escapes':
      return {
        ...at,
        severity: 'error',
        code: 'context/escapes-root',
        what: `"${path}" is a symbolic link that leads outside the allowed root; it was not read.`,
        why: 'Nothing outside the allowed root is read.',
        instead: 'Replace the link by the file itself.',
      }
    case 'unreadable':
      return {
        ...at,
        severity: 'error',
        code: 'context/unreadable-file',
        what: `The stage folder "${path}" could not be read.`,
        why: fault.reason,
        instead: `Make "${path}" readable, or move it out of the workspace.`,
      }
    case 'second-container':
      return {
        ...at,
        severity: 'warning',
        code: 'context/two-stage-folders',
        what: `Stages lie in "${relative(fault.other)}" and in "${path}"; only the first was read.`,
        why: 'A workspace has one folder of stages.',
        instead: 'Move the stages into one of them.',
      }
    case 'same-number':
      return {
        ...at,
        severity: 'error',
        code: 'context/same-number',
        what: `"${baseOf(path)}" and "${fault.other}" have the same number.`,
        why: 'The number is the order in which stages run.',
        instead: 'Give one of them another number, or a letter such as 01b.',
      }
  }
}
