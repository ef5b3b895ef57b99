import { parseContract, type StageContract } from '@icm/contract-parser'
import { brokenTextProblem, unreadableProblem } from './document-problems.js'
import { findStage } from './find-stage.js'
import { isSettled, sameStamp } from './observe-files.js'
import { hashOf, readDocument, type TextDocument } from './read-document.js'
import type { LoadProblem, ReadContract, StageRef, Workspace } from './types.js'
import { memoryOf } from './workspace-memory.js'
import { shownPath } from './workspace-paths.js'

/**
 * Reads and parses the contract of a stage. Parsed again only when its text has changed, so an edit shows at the next call.
 * A contract that cannot be read, or is no text, is an empty one with an error among its problems: the stage must not start.
 * Throws ContextLoaderError `context/unknown-stage`.
 */
export async function readContract(
  workspace: Workspace,
  stage: StageRef | string | number,
): Promise<ReadContract> {
  const found = typeof stage === 'object' ? stage : findStage(workspace, stage)
  const { contracts } = memoryOf(workspace)
  const stamp = await Promise.resolve(workspace.files.stampOf?.(found.contractPath)).catch(() => undefined)
  const before = contracts.get(found.contractPath)
  if (before?.stamp && stamp && sameStamp(before.stamp, stamp)) return before.read
  const read = await parseFile(workspace, found, before?.read)
  const settled = stamp && isSettled(stamp, Date.now())
  contracts.set(found.contractPath, settled ? { stamp, read } : { read })
  return read
}

async function parseFile(
  workspace: Workspace,
  stage: StageRef,
  before: ReadContract | undefined,
): Promise<ReadContract> {
  const path = shownPath(workspace, stage.contractPath)
  const place = { path, line: 1, column: 1 }
  const document = await readDocument(workspace.files, stage.contractPath)
  if (document.kind !== 'text') {
    const problem = unreadableProblem(`The contract of stage ${stage.name}`, path, document, place)
    return contractOf(stage, parseContract('').contract, [problem], { kind: 'text', text: '' })
  }
  // Just written, so that its state says nothing: reading it again costs little, parsing it again more.
  if (before && before.text === document.text && before.text !== '' && !document.bytes) return before
  const { contract, problems } = parseContract(document.text)
  const located: LoadProblem[] = problems.map((problem) => ({ ...problem, path }))
  if (document.brokenLine) located.push(brokenTextProblem(path, document.brokenLine, place))
  return contractOf(stage, contract, located, document)
}

function contractOf(
  stage: StageRef,
  contract: StageContract,
  problems: readonly LoadProblem[],
  document: TextDocument,
): ReadContract {
  return {
    stage,
    contract,
    problems,
    text: document.text,
    get sha256() {
      return hashOf(document)
    },
  }
}
