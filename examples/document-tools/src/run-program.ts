import { type AnyTool, defineTool, ToolRegistryError } from '@icm/tool-registry'
import { z } from 'zod'
import { filesOf, type ProgramInput, wordsOf } from './program-words.js'
import type { AllowedProgram, AllowedPrograms } from './programs.js'
import { type ProgramEnd, startProgram } from './start-program.js'
import type { ToolParts } from './tool-parts.js'

const MOST_FILES = 200

/** The tool that runs one of a few programs over files: what it touches follows from the program and the files. */
export function runProgramTool({ root, remember }: ToolParts, programs: AllowedPrograms): AnyTool {
  const names = Object.keys(programs) as [string, ...string[]]
  const choice = names.map((name) => `${name} ${programs[name]?.about}`).join('; ')
  const programOf = (name: string) => programs[name] as AllowedProgram
  return defineTool({
    name: 'run_program',
    description:
      `Runs one program over files of the folder and returns its exit code and what it printed. Programs: ${choice}. ` +
      'A program that finds nothing prints nothing. Example: {"program": "wc", "options": ["-w"], "files": ["notes/*.md"]}. ' +
      'Rejected: other programs, shell commands, pipes, paths outside the folder. Next: recall_result for a long output.',
    input: z.object({
      program: z.enum(names).describe('Which program'),
      files: z.array(z.string().min(1)).min(1).max(MOST_FILES).describe('Paths or patterns such as "*.md"'),
      options: z.array(z.string().min(1)).optional().describe('Such as "-l"; default none'),
    }),
    aliases: {
      program: ['command', 'cmd', 'tool', 'executable', 'polecenie'],
      files: ['paths', 'path', 'arguments', 'args', 'inputs'],
      options: ['flags', 'switches'],
    },
    limit: 2_000,
    idempotent: false,
    irreversible: false,
    trust: 'host',
    output: 'untrusted',
    timeoutMs: 30_000,
    nextCall: (_input, cut) =>
      `For this part call recall_result(result="run_program", from=${cut.fromLine}, lines=${Math.min(cut.lines, 40)}).`,
    blastRadius: async ({ program, files }, context) =>
      programOf(program).changesFiles === true ? (await filesOf(root, files, context)).length : 0,
    dryRun: async (input, context) => {
      const words = wordsOf(programOf(input.program), input, await filesOf(root, input.files, context))
      return `Would run ${[programOf(input.program).command, ...words].join(' ')}`
    },
    backup: ({ program }) => programOf(program).backup ?? 'Nothing is changed.',
    run: async (input, context) => {
      const program = programOf(input.program)
      const words = wordsOf(program, input, await filesOf(root, input.files, context))
      const end = await startProgram({
        command: program.command,
        words,
        folder: root,
        signal: context.signal,
      })
      const text = await remember('run_program', describeEnd(input, end))
      if (!(program.exitCodes ?? [0]).includes(end.exitCode ?? -1)) throw failed(input, end, text)
      return text
    },
  }) as AnyTool
}

function describeEnd({ program }: ProgramInput, end: ProgramEnd): string {
  const how = end.killedBy === null ? `ended with exit code ${end.exitCode}` : `was ended by ${end.killedBy}`
  const dropped =
    end.droppedCharacters === 0 ? '' : `\n[${end.droppedCharacters} more characters were not kept]`
  const printed = end.output.trim() === '' ? ' and printed nothing.' : `:\n${end.output.trimEnd()}`
  return `${program} ${how}${printed}${dropped}`
}

function failed({ program }: ProgramInput, end: ProgramEnd, text: string): ToolRegistryError {
  return new ToolRegistryError({
    code: 'tool/reported-error',
    what: `${program} failed with exit code ${end.exitCode}.`,
    why: 'The program says so; its output follows.',
    instead: 'Check the paths with find_documents, then call it again.',
    details: { text },
  })
}
