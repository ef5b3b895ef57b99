import type { Gate } from '@icm/pipeline'
import { printable, type Style } from './style.js'

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
    /** Undefined when the run goes on by itself: then only what was found is said. */
    readonly continueCommand: string | undefined
  },
): void {
  const { line, style, continueCommand } = output
  if (continueCommand !== undefined) {
    line(style.bold(`--- review gate: ${gate.stage ?? ''} ---`))
    for (const written of gate.outputs) line(`read and edit: ${printable(written.path)}`)
  }
  for (const name of gate.truncated) line(style.yellow(`cut off by the token limit: ${printable(name)}`))
  if (gate.claims.length > 0) {
    line(
      style.yellow(
        `unsupported claims (in none of the stage's inputs and tool results): ${gate.claims.length}`,
      ),
    )
    for (const claim of gate.claims)
      line(`  line ${claim.line}: ${kinds[claim.kind]} ${printable(claim.text)}`)
  }
  for (const checkpoint of gate.checkpoints) line(`decide: ${printable(checkpoint)}`)
  for (const { stage, reasons } of gate.stale) {
    line(style.yellow(printable(`stale: ${stage} (${reasons.join('; ')}); redo ${stage} runs it again`)))
  }
  const last = nextLine(gate.next, continueCommand)
  if (last !== undefined) line(gate.next?.problem === undefined ? last : style.yellow(last))
}

function nextLine(next: Gate['next'], continueCommand: string | undefined): string | undefined {
  if (next === undefined) return 'every stage is done'
  if (next.problem !== undefined) return printable(`next: ${next.stage} cannot start yet: ${next.problem}`)
  if (continueCommand === undefined) return undefined
  const turns = `${next.turns} ${next.turns === 1 ? 'turn' : 'turns'}`
  return `next: ${next.stage}, ${turns}; go on with: ${continueCommand}`
}
