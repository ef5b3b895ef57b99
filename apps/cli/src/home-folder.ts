import { homedir } from 'node:os'

/** `HOME`, else what the system knows; undefined for a user whom it does not know (a container's bare number). */
export function homeFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env.HOME) return env.HOME
  try {
    return homedir()
  } catch {
    return undefined
  }
}
