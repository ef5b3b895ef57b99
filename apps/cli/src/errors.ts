import { IcmError } from '@icm/errors'

export type CliErrorCode =
  | 'cli/usage'
  | 'cli/no-workspace'
  | 'cli/configuration'
  | 'cli/no-model'
  | 'cli/folder-not-empty'
  | 'cli/unknown-server'
  | 'cli/server-failed'
  | 'cli/unknown-tool'
  | 'cli/not-trusted'
  | 'cli/no-library'
  | 'cli/no-home'
  | 'cli/nothing-decided'

/** Thrown by commands; usage and configuration errors end with exit code 2, the others with 1. */
export class CliError extends IcmError<CliErrorCode> {}

/** The exit code that an error stands for: 2 usage or configuration, 3 waits for a person, 1 everything else. */
export function exitCodeOf(error: unknown): number {
  if (!IcmError.isInstance(error)) return 1
  if (error.code === 'pipeline/suspended' || error.code === 'cli/not-trusted') return 3
  const usage = [
    'cli/usage',
    'cli/configuration',
    'cli/no-workspace',
    'cli/folder-not-empty',
    'cli/no-home',
    'cli/nothing-decided',
    'chat/bad-option',
    'chat/bad-cassette',
    'context/no-workspace',
    'context/unknown-stage',
    'pipeline/stage-done',
  ]
  return usage.includes(error.code) ? 2 : 1
}
