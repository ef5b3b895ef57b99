import type { Gate } from '@icm/pipeline'
import { shellCommand } from './shell-word.js'
import { printableName, type Style } from './style.js'

const kinds = {
  url: 'address',
  version: 'version',
  'model-tag': 'model',
  port: 'port',
  command: 'command',
} as const

/** Prints what a person needs between two stages: what to read, what code found, what comes next and how to go on. */
export function printGate(
  gate: Gate & { readonly stage?: string },
  output: {
    readonly line: (content: string) => void
    readonly style: Style
    readonly continueCommand: readonly string[]
    readonly redoCommand: readonly string[]
    /** The run goes on by itself: then only what was found is said. */
    readonly all: boolean
  },
): void {
  const { line, style, all } = output
  if (!all) {
    line(style.bold(printableName(`--- review gate: ${gate.stage ?? ''} ---`)))
    for (const written of gate.outputs) line(`read and edit: ${printableName(written.path)}`)
  }
  for (const name of gate.truncated) line(style.yellow(`cut off by the token limit: ${printableName(name)}`))
  if (gate.claims.length > 0) {
    line(
      style.yellow(
        `unsupported claims (in none of the stage's inputs and tool results): ${gate.claims.length}`,
      ),
    )
    for (const claim of gate.claims)
      line(`  line ${claim.line}: ${kinds[claim.kind]} ${printableName(claim.text)}`)
  }
  for (const checkpoint of gate.checkpoints) line(`decide: ${printableName(checkpoint)}`)
  for (const stage of gate.stale) line(style.yellow(staleLine(stage, output.redoCommand)))
  const last = nextLine(gate.next, all ? undefined : output.continueCommand)
  if (last !== undefined) line(gate.next?.problem === undefined ? last : style.yellow(last))
}

/** What has changed since a stage ran, and the command that runs it again. */
export function staleLine({ stage, reasons }: Gate['stale'][number], redoCommand: readonly string[]): string {
  const why = printableName(`stale: ${stage} (${reasons.join('; ')})`)
  return `${why}; to run it again: ${shellCommand([...redoCommand, stage])}`
}

function nextLine(next: Gate['next'], continueCommand: readonly string[] | undefined): string | undefined {
  if (next === undefined) return 'every stage is done'
  if (next.problem !== undefined)
    return printableName(`next: ${next.stage} cannot start yet: ${next.problem}`)
  if (continueCommand === undefined) return undefined
  const turns = `${next.turns} ${next.turns === 1 ? 'turn' : 'turns'}`
  return `${printableName(`next: ${next.stage}, ${turns}`)}; go on with: ${shellCommand(continueCommand)}`
}
