import { IcmError } from '@icm/errors'
import { printable, type Style } from './style.js'

/** An error as a person reads it: what, why and what to do; the stack only with ICM_DEBUG or for a fault of icm itself. */
export function formatError(error: unknown, style: Style, env: NodeJS.ProcessEnv): string {
  const debug = (env.ICM_DEBUG ?? '') !== ''
  if (IcmError.isInstance(error)) {
    const lines = [
      `${style.red('error')} ${printable(error.what)}`,
      ...(error.why === '' ? [] : [printable(error.why)]),
      `${style.green('→')} ${printable(error.instead)}`,
      style.dim(`(${error.code})`),
    ]
    return `${lines.join('\n')}\n${debug ? `${printable(error.stack ?? '')}\n` : ''}`
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${style.red('error')} icm itself failed; please report this:\n${printable(stack)}\n`
}
