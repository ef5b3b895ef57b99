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
    readonly continueCommand: string
  },
): void {
  const { line, style } = output
  line(style.bold(`--- review gate: ${gate.stage ?? ''} ---`))
  for (const written of gate.outputs) line(`read and edit: ${written.path}`)
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
  for (const { stage, reasons } of gate.stale)
    line(style.yellow(`stale: ${stage} (${reasons.join('; ')}); icm redo ${stage} runs it again`))
  if (gate.next === undefined) line('every stage is done')
  else if (gate.next.problem !== undefined)
    line(style.yellow(`next: ${gate.next.stage} cannot start yet: ${printable(gate.next.problem)}`))
  else
    line(
      `next: ${gate.next.stage}, ${gate.next.turns} ${gate.next.turns === 1 ? 'turn' : 'turns'}; go on with: ${output.continueCommand}`,
    )
}
