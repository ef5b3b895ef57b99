import { isOptional } from './optional-marks.js'
import { looksLikePath } from './path-text.js'
import type { ContractInput, ContractOutput, ForEach, StageContract, ToolAllowance } from './types.js'

export interface RenderContractOptions {
  /** The text that is rewritten: its byte order mark and its line ending are kept. Default: none, and `\n`. */
  readonly like?: string
}

/**
 * Prints a contract in its canonical form. What `parseContract` returned comes back equal when the result is parsed
 * again, except for positions and the `text` of entries. Inputs and outputs with a scope, label or note become a table.
 */
export function renderContract(contract: StageContract, options: RenderContractOptions = {}): string {
  const sections = [
    contract.title === '' ? '' : `# ${contract.title}`,
    section('Purpose', contract.purpose),
    section('Inputs', renderInputs(contract.inputs)),
    section('Tools', contract.tools.length === 0 ? 'none' : contract.tools.map(renderTool).join('\n')),
    contract.forEach ? section('For each', renderForEach(contract.forEach)) : '',
    section('Process', contract.process),
    section('Verify', contract.verify.map((line) => `- ${line}`).join('\n')),
    section(
      'Checkpoints',
      table(
        ['After Step', 'Agent Presents', 'Human Decides'],
        contract.checkpoints.map((point) => [point.afterStep, point.presents, point.decides]),
      ),
    ),
    section(
      'Audit',
      table(
        ['Check', 'Pass Condition'],
        contract.audit.map((check) => [check.check, check.passCondition]),
      ),
    ),
    section('Outputs', renderOutputs(contract.outputs)),
    ...contract.otherSections.map((other) => `## ${other.heading}\n${other.text}`.trimEnd()),
  ]
  return inStyleOf(options.like ?? '', `${sections.filter((text) => text !== '').join('\n\n')}\n`)
}

/** With the byte order mark and the line ending of another text. */
function inStyleOf(like: string, text: string): string {
  const ending = /\r\n|\n|\r/.exec(like)?.[0] ?? '\n'
  const lines = ending === '\n' ? text : text.replace(/\r\n|\n|\r/g, ending)
  return like.startsWith('\uFEFF') ? `\uFEFF${lines}` : lines
}

function section(heading: string, text: string): string {
  return text === '' ? '' : `## ${heading}\n${text}`
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n')
}

const layerNames = { 3: 'Layer 3 (reference)', 4: 'Layer 4 (working)' } as const

function renderInputs(inputs: readonly ContractInput[]): string {
  if (inputs.length === 0) return 'none'
  if (inputs.every(isPlain)) {
    return inputs
      .map((input) => `- ${input.layer ? `${layerNames[input.layer]}: ` : ''}${input.path}`)
      .join('\n')
  }
  const columns = inputColumns.filter((column) => column.always || inputs.some((input) => column.used(input)))
  const rows = entryGroups(inputs).map((group) => columns.map((column) => column.cell(group)))
  return table(
    columns.map((column) => column.header),
    rows,
  )
}

function isPlain(input: ContractInput): boolean {
  const { path = '' } = input
  // Without backticks only what ends in an extension or `/` is read as a path.
  const bare = looksLikePath(path, false) && !/[\s,;`()§#]/.test(path) && !path.endsWith('.')
  return (
    bare &&
    input.kind === 'file' &&
    input.scope.text === '' &&
    input.required &&
    !input.label &&
    !input.note &&
    !input.siblingOf
  )
}

interface InputColumn {
  readonly header: string
  readonly always?: true
  used(input: ContractInput): boolean
  cell(group: readonly ContractInput[]): string
}

const first = (group: readonly ContractInput[], read: (input: ContractInput) => string) =>
  group[0] ? read(group[0]) : ''

const inputColumns: readonly InputColumn[] = [
  {
    header: 'Layer',
    used: (input) => input.layer !== undefined,
    cell: (group) => first(group, (input) => (input.layer ? layerNames[input.layer] : '')),
  },
  {
    header: 'Source',
    used: (input) => Boolean(input.label),
    cell: (group) => first(group, (input) => input.label ?? ''),
  },
  { header: 'File', always: true, used: () => true, cell: (group) => group.map(pathCell).join(' and ') },
  {
    header: 'Section/Scope',
    used: (input) => input.scope.text !== '' && !isAttached(input),
    cell: (group) => first(group, (input) => (isAttached(input) ? '' : input.scope.text)),
  },
  {
    header: 'Required',
    // A required entry whose words say otherwise needs the column too.
    used: (input) =>
      !input.required ||
      [input.label, input.scope.text, input.note, input.remark].some((text) => isOptional(text ?? '')),
    cell: (group) => first(group, (input) => (input.required ? 'yes' : 'no')),
  },
  {
    header: 'Why',
    used: (input) => Boolean(input.note),
    cell: (group) => first(group, (input) => input.note ?? ''),
  },
]

/** A scope that stands right behind its path, as `x.md#slug` and `x.md § Name` do. */
function isAttached(input: ContractInput): boolean {
  return input.scope.kind === 'slug' || input.scope.text.startsWith('§')
}

function pathCell(input: ContractInput): string {
  if (input.path === undefined) return input.remark ?? ''
  const code = `\`${input.path}${input.scope.kind === 'slug' ? input.scope.text : ''}\``
  return input.scope.text.startsWith('§') ? `${code} ${input.scope.text}` : code
}

/** Entries that share a cell: a bare name is a sibling only of a path in its own entry. */
function entryGroups(inputs: readonly ContractInput[]): ContractInput[][] {
  const groups: ContractInput[][] = []
  for (const input of inputs) {
    const group = groups.at(-1)
    if (input.siblingOf && group?.some((other) => other.path === input.siblingOf)) group.push(input)
    else groups.push([input])
  }
  return groups
}

function renderTool(allowance: ToolAllowance): string {
  return allowance.tools === 'all'
    ? `${allowance.server}: *`
    : `${allowance.server}: ${allowance.tools.join(', ')}`
}

function renderForEach(forEach: ForEach): string {
  const path = /\s/.test(forEach.path) ? `\`${forEach.path}\`` : forEach.path
  const carry = forEach.carry ? '\n- carry: one-line summary' : ''
  const parallel = forEach.parallel > 1 ? `\n- parallel: ${forEach.parallel}` : ''
  return `${forEach.item} in ${path}${carry}${parallel}`
}

function renderOutputs(outputs: readonly ContractOutput[]): string {
  if (outputs.every((output) => !output.note)) {
    return outputs.map((output) => `- ${outputName(output.path)}`).join('\n')
  }
  return table(
    ['File', 'Purpose'],
    outputs.map((output) => [`\`${output.path}\``, output.note ?? '']),
  )
}

/** The arrow form for a plain file name or folder in `output/`; any other path as it is, in code where it needs that. */
function outputName(path: string): string {
  const name = /^output\/((?:[\w.-]|\[[\w-]*\])+(?:\.[A-Za-z][A-Za-z0-9]{0,9}|\/))$/.exec(path)?.[1]
  if (name) return `${name} -> output/`
  return /^(?:[\w./-]|\[[\w-]*\])+\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(path) ? path : `\`${path}\``
}
