import type { Problem } from '@icm/errors'

/** A place in the contract's text; both count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A stage contract, as a person wrote it; nothing in it is resolved against a disk. */
export interface StageContract {
  readonly title: string
  readonly purpose: string
  readonly inputs: readonly ContractInput[]
  readonly tools: readonly ToolAllowance[]
  readonly forEach?: ForEach
  /** The instructions to the model, an exact slice of the text without the heading, trimmed. */
  readonly process: string
  readonly verify: readonly string[]
  readonly checkpoints: readonly ContractCheckpoint[]
  readonly audit: readonly ContractCheck[]
  readonly outputs: readonly ContractOutput[]
  /** Sections that have no meaning here, whole, in order. */
  readonly otherSections: readonly OtherSection[]
}

/** Everything except `file` is recorded and reported, never read or run. */
export type InputKind = 'file' | 'external' | 'person' | 'command' | 'none' | 'prose'

export interface ContractInput extends Position {
  readonly kind: InputKind
  /** The entry as written, one line. */
  readonly text: string
  /** The path as written, without an anchor; only for `file` and `external`. */
  readonly path?: string
  /** As stated in the contract; absent when the loader must infer it. */
  readonly layer?: 3 | 4
  readonly scope: Scope
  readonly required: boolean
  readonly label?: string
  readonly note?: string
  /** What stands where a path would: the words of an entry that is neither `file` nor `external`. */
  readonly remark?: string
  /** For a bare name behind a path in the same entry: that path (it is tried as a sibling). */
  readonly siblingOf?: string
}

/** Which part of a file is loaded. `text` is the scope as written and goes to the model beside the file. */
export type Scope =
  | { readonly kind: 'full'; readonly text: string }
  | {
      readonly kind: 'names'
      readonly names: readonly string[]
      readonly quoted: boolean
      readonly text: string
    }
  | { readonly kind: 'range'; readonly from: string; readonly to: string; readonly text: string }
  | { readonly kind: 'latest'; readonly text: string }
  | { readonly kind: 'lines'; readonly from: number; readonly to: number; readonly text: string }
  | { readonly kind: 'slug'; readonly slug: string; readonly text: string }
  | { readonly kind: 'other'; readonly text: string }

/** One line of `## Tools`. `server` is `'scripts'` for programs of the stage's own folder. */
export interface ToolAllowance extends Position {
  readonly server: string
  readonly tools: 'all' | readonly string[]
}

export interface ForEach extends Position {
  /** The word that names one item, such as `module`. */
  readonly item: string
  readonly path: string
  /** Each turn sees one line about every earlier item. */
  readonly carry: boolean
  /** Turns that may run at once; 1 when not stated. */
  readonly parallel: number
}

export interface ContractCheckpoint extends Position {
  readonly afterStep: string
  readonly presents: string
  readonly decides: string
}

export interface ContractCheck extends Position {
  readonly check: string
  readonly passCondition: string
}

export interface ContractOutput extends Position {
  /** Relative to the stage folder unless it starts with `/`; may hold placeholders such as `[slug]`. */
  readonly path: string
  readonly text: string
  readonly note?: string
}

export interface OtherSection extends Position {
  readonly heading: string
  readonly text: string
}

export type ContractProblemCode = `contract/${string}`

/** A fault of a contract, with its place. */
export interface ContractProblem<Code extends string = ContractProblemCode> extends Problem<Code>, Position {
  readonly severity: 'error' | 'warning' | 'info'
}

export interface ParsedContract {
  readonly contract: StageContract
  readonly problems: readonly ContractProblem[]
}
