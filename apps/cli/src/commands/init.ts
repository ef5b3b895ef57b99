import { readdir } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { nearestName } from '@icm/errors'
import { copyWhole, isStaging } from '../copy-whole.js'
import { CliError } from '../errors.js'
import type { Command, CommandContext } from '../run-cli.js'
import { shellCommand } from '../shell-word.js'
import { printableName } from '../style.js'
import { templateFolder } from '../template-folder.js'

const templates = {
  'course-research':
    'one sentence becomes a short written course, in four stages, with a library to research in',
  minimal: 'two stages to start your own workspace from',
} as const

type Template = keyof typeof templates

/** `icm init`: a new workspace, ready to run. */
export const initCommand: Command = {
  help: {
    name: 'init',
    summary: 'makes a new workspace, ready to run',
    positionals: ['[dir]'],
    options: {
      template: {
        type: 'string',
        value: '<name>',
        description: `${Object.keys(templates).join(' or ')}; default course-research`,
      },
    },
    example: 'icm init my-course',
    notes: Object.entries(templates)
      .map(([name, what]) => `${name}: ${what}`)
      .join('\n'),
  },
  run: initWorkspace,
}

async function initWorkspace(context: CommandContext): Promise<number> {
  const template = templateOf(context.arguments.values.template ?? 'course-research')
  const target = resolve(context.currentFolder, context.arguments.positionals[0] ?? '.')
  await requireEmptyFolder(target)
  const files = await copyWhole(templateFolder(template), target, context.signal)
  const shown = relative(context.currentFolder, target) || '.'
  // `cd -x` would be an option.
  const enter =
    shown === '.' ? '' : `${shellCommand(['cd', shown.startsWith('-') ? `./${shown}` : shown])}\n  `
  context.stdout.write(
    `made ${printableName(shown)} from the template ${template} (${files} files)\n\nnext:\n  ${enter}${context.program} status\n  ${context.program} run\n\n${hints[template]}\n`,
  )
  return 0
}

const hints: { readonly [name in Template]: string } = {
  'course-research':
    'Your idea stands in pipeline/01-scope/input.md, your readers in _config/audience.md, the documents to research in library/.',
  minimal:
    'Write your material into stages/01-collect/input.md; the CONTEXT.md in each stage says what happens to it.',
}

function templateOf(name: string): Template {
  if (Object.hasOwn(templates, name)) return name as Template
  const nearest = nearestName(name, Object.keys(templates))
  throw new CliError({
    code: 'cli/usage',
    what: `No workspace was made: there is no template "${name}".`,
    why: `The templates are: ${Object.keys(templates).join(', ')}.`,
    instead:
      nearest === undefined ? 'Give one of them with --template.' : `Did you mean --template ${nearest}?`,
  })
}

async function requireEmptyFolder(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CliError(
      {
        code: 'cli/folder-not-empty',
        what: `No workspace was made in ${target}.`,
        why:
          error.code === 'ENOTDIR'
            ? 'A file with that name is there.'
            : `The folder cannot be read (${error.code}).`,
        instead: 'Name another folder.',
      },
      { cause: error },
    )
  })
  const found = names.filter((name) => name !== '.git' && !isStaging(name))
  if (found.length === 0) return
  throw new CliError({
    code: 'cli/folder-not-empty',
    what: `No workspace was made: ${target} is not empty (${found.slice(0, 6).join(', ')}${found.length > 6 ? ', …' : ''}).`,
    why: 'icm init never writes over files.',
    instead: 'Name a new folder: icm init my-course.',
  })
}
