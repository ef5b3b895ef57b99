import type { Task } from './tasks/task.js'

/** Whether a call's effective arguments have what the request gave; case and a leading `./` do not count. */
export function matchesGiven(task: Task, input: { readonly [parameter: string]: unknown }): boolean {
  if (task.given === undefined) return true
  return task.given.some((set) =>
    Object.entries(set).every(([parameter, value]) => plain(input[parameter]) === plain(value)),
  )
}

function plain(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.trim().replace(/^\.\//, '').toLowerCase())
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`
  return JSON.stringify(value) ?? ''
}
