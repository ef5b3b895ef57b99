import { type Configuration, readConfiguration } from '../config.js'
import { checkLlama } from '../doctor/check-llama.js'
import { checkOllama } from '../doctor/check-ollama.js'
import { checkOpenai } from '../doctor/check-openai.js'
import { checkWorkspace } from '../doctor/check-workspace.js'
import type { Finding } from '../doctor/finding.js'
import type { KeyPlace } from '../model-search.js'
import type { Command, CommandContext } from '../run-cli.js'
import { printable, printableJson, printableName } from '../style.js'
import { requireKeyGrant } from '../workspace-grant.js'
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
        description:
          'Ollama server (default OLLAMA_HOST, else 127.0.0.1:11434), or base URL of an OpenAI-compatible one',
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
  const model = await checkModel(context, configuration, workspace?.root ?? context.currentFolder)
  const findings = [
    ...oneIsEnough(model),
    ...(workspace === undefined ? [noWorkspace] : await checkWorkspace(workspace, configuration)),
  ]
  context.signal.throwIfAborted()
  if (context.arguments.flags.json === true) context.stdout.write(printableJson(findings))
  else for (const finding of findings) context.stdout.write(formatFinding(finding, context))
  return findings.some((finding) => finding.state === 'fault') ? 1 : 0
}

/** With an explicit provider nothing else can stand in for it, so nothing else is looked at. */
async function checkModel(
  context: CommandContext,
  configuration: Configuration,
  workspaceRoot: string,
): Promise<readonly Finding[]> {
  const { env, signal, arguments: given } = context
  const { provider } = configuration.model
  const { host } = given.values
  if (provider === 'openai-compatible') {
    // Nobody is asked here: the key goes only where `icm run` may send it already.
    const trust = { workspaceRoot, configuration, trusted: false, env }
    const requireGrant = (place: KeyPlace) => requireKeyGrant(place, trust)
    const wishes = host === undefined ? {} : { host }
    return checkOpenai({ configuration, wishes, env, signal, requireKeyGrant: requireGrant })
  }
  const ollamaHost = host ?? (env.OLLAMA_HOST || configuration.model.host)
  return [
    ...(provider === 'llama' ? [] : await checkOllama(configuration, ollamaHost, signal)),
    ...(provider === 'ollama' ? [] : await checkLlama(configuration, env)),
  ]
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
