import { readConfiguration } from '../config.js'
import { checkLlama } from '../doctor/check-llama.js'
import { checkOllama } from '../doctor/check-ollama.js'
import { checkWorkspace } from '../doctor/check-workspace.js'
import type { Finding } from '../doctor/finding.js'
import type { Command, CommandContext } from '../run-cli.js'
import { printable, printableJson, printableName } from '../style.js'
import { openChosenWorkspace, workspaceOption } from '../workspace-option.js'

/** `icm doctor`: what is there, what is not, and the fix of each fault. */
export const doctorCommand: Command = {
  help: {
    name: 'doctor',
    summary: 'checks the model, the engine and the workspace, and names the fix of each fault',
    positionals: [],
    options: {
      ...workspaceOption,
      host: {
        type: 'string',
        value: '<host>',
        description: 'Ollama server; default OLLAMA_HOST, else 127.0.0.1:11434',
      },
      json: { type: 'boolean', description: 'print JSON' },
    },
    example: 'icm doctor',
    notes: 'Exit code 1 when something stands in the way of a run.',
  },
  run: examine,
}

async function examine(context: CommandContext): Promise<number> {
  const workspace = await openChosenWorkspace(context).catch((error: unknown) => {
    if (context.arguments.values.workspace !== undefined) throw error
    return undefined // the rest of the machine can be checked from anywhere
  })
  const configuration = await readConfiguration(workspace?.root ?? context.currentFolder)
  const host = context.arguments.values.host ?? (context.env.OLLAMA_HOST || configuration.model.host)
  // With an explicit provider nothing else can stand in for it, so nothing else is looked at.
  const { provider } = configuration.model
  const model = [
    ...(provider === 'llama' ? [] : await checkOllama(configuration, host, context.signal)),
    ...(provider === 'ollama' ? [] : await checkLlama(configuration, context.env)),
  ]
  const findings = [
    ...oneIsEnough(model),
    ...(workspace === undefined ? [noWorkspace] : await checkWorkspace(workspace, configuration)),
  ]
  context.signal.throwIfAborted()
  if (context.arguments.flags.json === true) context.stdout.write(printableJson(findings))
  else for (const finding of findings) context.stdout.write(formatFinding(finding, context))
  return findings.some((finding) => finding.state === 'fault') ? 1 : 0
}

const noWorkspace: Finding = {
  name: 'workspace',
  state: 'missing',
  text: 'this folder is in no workspace',
  fix: 'icm init my-course makes one',
}

/** Ollama and the embedded engine stand in for each other: with one of them ready, the other's absence is no fault. */
function oneIsEnough(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some((finding) => finding.ready === true)) return findings
  return findings.map((finding) =>
    finding.optional === true && finding.state === 'fault'
      ? { ...finding, state: 'missing' as const }
      : finding,
  )
}

function formatFinding(finding: Finding, { style }: CommandContext): string {
  const mark = {
    ok: style.green('ok     '),
    missing: style.dim('-      '),
    warning: style.yellow('warning'),
    fault: style.red('fault  '),
  }[finding.state]
  const fix = finding.fix === undefined ? '' : `        ${style.green('→')} ${printable(finding.fix)}\n`
  return `${mark} ${printableName(`${finding.name}: ${finding.text}`)}\n${fix}`
}
