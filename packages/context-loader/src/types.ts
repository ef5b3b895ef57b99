import type { ContractOutput, ContractProblem, Scope, StageContract } from '@icm/contract-parser'

/**
 * How the loader reads a workspace. The default reads the disk; `memoryFiles` reads an object.
 * Paths are absolute and use `/`.
 */
export interface WorkspaceFiles {
  /** Undefined when nothing is there. */
  kindOf(path: string): Promise<'file' | 'folder' | undefined>
  /** Entry names of a folder, sorted by code unit. */
  list(path: string): Promise<readonly string[]>
  readText(path: string): Promise<string>
  modifiedMs(path: string): Promise<number>
  /** The path with every symbolic link resolved; the path itself where the store has no links. */
  realPath(path: string): Promise<string>
  /** The bytes of a file. Without it `readText` is used, and only UTF-8 can be read. */
  readBytes?(path: string): Promise<Uint8Array>
  /**
   * What tells one state of a file or folder from the next, undefined when nothing is there. Equal stamps must mean equal
   * content (for a folder: equal names). Without it nothing is remembered between two calls.
   */
  stampOf?(path: string): Promise<FileStamp | undefined>
  /**
   * Reads an ordinary text file at one go and without waiting: an optional short cut. Undefined for whatever needs a closer
   * look: nothing there, a folder, a symbolic link, bytes that are not UTF-8, a NUL. Never follows a link at the path's end.
   */
  readPlainFile?(path: string): PlainFile | undefined
}

/** A text file, and its state when it was opened. */
export interface PlainFile {
  readonly text: string
  readonly stamp: FileStamp
}

/** One state of a file or folder. */
export interface FileStamp {
  readonly kind: 'file' | 'folder'
  /** Milliseconds since 1970, with fractions. */
  readonly modifiedMs: number
  /** When content or attributes last changed; equals `modifiedMs` where the store does not know. */
  readonly changedMs: number
  /** Bytes; 0 for a folder where the store does not know. */
  readonly size: number
  /** The number of the file in its store, 0 where there is none: a replaced file has another one. */
  readonly id: number
}

/** A numbered folder with a contract. */
export interface StageRef {
  /** The folder's name, such as `03-outline`. */
  readonly name: string
  readonly number: number
  /** The letter of `01b-x`, else empty. */
  readonly letter: string
  /** Absolute path of the stage folder. */
  readonly folder: string
  /** Absolute path of its contract. */
  readonly contractPath: string
}

/** Name → value of the placeholders in the names of outputs, such as `repo` for `<repo>-brief.md`. */
export interface PlaceholderValues {
  readonly [name: string]: string
}

export interface Workspace {
  readonly root: string
  /** Nothing outside is ever read: the enclosing git repository, else the workspace itself. */
  readonly allowedRoot: string
  /** The folder that holds the stages: `pipeline/`, `stages/` or the workspace itself. */
  readonly stagesFolder: string
  /** In running order. */
  readonly stages: readonly StageRef[]
  /** Absolute paths of the layer 0 and layer 1 files, where there are any. */
  readonly identityPath?: string
  readonly routingPath?: string
  readonly problems: readonly LoadProblem[]
  /** What somebody has said about names of outputs; `slug` and `date` need no saying. */
  readonly placeholders?: PlaceholderValues
  readonly files: WorkspaceFiles
}

/** A fault of a workspace or of one of its contracts; `path` is relative to the workspace. */
export interface LoadProblem extends ContractProblem<string> {
  readonly path: string
}

/** One piece of the assembled text. */
export interface ContextPart {
  readonly layer: 0 | 1 | 2 | 3 | 4
  /** As the contract writes it; for layers 0 to 2 relative to the workspace. */
  readonly label: string
  /** Absolute path. */
  readonly path: string
  readonly scope: Scope
  readonly text: string
  readonly characters: number
  /** Estimated with the counter in use, when first asked for. */
  readonly tokens: number
  /** False for an optional input: with a budget it is left out when there is no room. */
  readonly required: boolean
  /** SHA-256 of the whole file's bytes as read, in hex; computed when first asked for. */
  readonly sha256: string
}

export interface DroppedPart {
  readonly label: string
  readonly reason: string
}

/** One item of a For each: an exact slice of the source. */
export interface ForEachItem {
  /** Counts from 1. */
  readonly index: number
  readonly heading: string
  /** Everything below the heading up to the next item, trimmed. */
  readonly body: string
}

export interface StageContext {
  readonly stage: StageRef
  readonly contract: StageContract
  readonly system: string
  /** Without an item; see `renderItem`. */
  readonly user: string
  /** Empty when the contract has no For each. */
  readonly items: readonly ForEachItem[]
  /** Absolute path of the For each source, when it exists. */
  readonly forEachPath?: string
  /** Level-2 sections of the For each source that are no items. */
  readonly skippedSections: readonly string[]
  /** Layers 0 to 2, then the inputs in contract order; `layer` says which text they are in. Made when first asked for. */
  readonly parts: readonly ContextPart[]
  readonly dropped: readonly DroppedPart[]
  /** With an error among them the stage must not start. */
  readonly problems: readonly LoadProblem[]
  /** Estimate of system and user text together, without an item; made when first asked for. */
  readonly tokens: number
}

/** A stage's contract as read from the disk. */
export interface ReadContract {
  readonly stage: StageRef
  readonly contract: StageContract
  readonly problems: readonly LoadProblem[]
  /** The contract's text as read. */
  readonly text: string
  /** SHA-256 of the contract's bytes, in hex; computed when first asked for. */
  readonly sha256: string
}

/** A place that an output is written to. */
export interface ResolvedOutput {
  /** Absolute; placeholders such as `[slug]` are filled in where they have a value. */
  readonly path: string
  /** As the contract writes it. */
  readonly label: string
  readonly folder: boolean
  /** The contract writes it with a placeholder. */
  readonly templated: boolean
  readonly output: ContractOutput
}

export interface ResolvedOutputs {
  /** In contract order; an output that must not be written is left out and reported. */
  readonly outputs: readonly ResolvedOutput[]
  readonly problems: readonly LoadProblem[]
}

/** Where a path of a contract leads. `lookedIn` holds paths relative to the workspace. */
export type ResolvedInput =
  | {
      readonly status: 'found'
      readonly matches: readonly InputMatch[]
      readonly lookedIn: readonly string[]
    }
  | {
      readonly status: 'ambiguous'
      readonly matches: readonly InputMatch[]
      readonly lookedIn: readonly string[]
    }
  | { readonly status: 'missing'; readonly lookedIn: readonly string[] }
  | { readonly status: 'escapes'; readonly leadsTo: string; readonly lookedIn: readonly string[] }
  | { readonly status: 'external'; readonly lookedIn: readonly string[] }

export interface InputMatch {
  /** Absolute path. */
  readonly path: string
  readonly kind: 'file' | 'folder'
}

/** The stage that should write a missing input, and the nearest thing that is there. */
export interface InputHint {
  /** The stage whose contract names the file as an output; of several the first that runs earlier. */
  readonly producer?: string
  /** True when only the stage itself names the file as an output. */
  readonly own?: boolean
  /** A path that exists or that a stage writes, as this contract would write it. */
  readonly nearest?: string
}
