/** A request with exactly one right tool. */
export interface Task {
  /** Stable, such as `read-3`. */
  readonly id: string
  readonly user: string
  readonly expected: string
  /**
   * Arguments that the request gives word for word; a call is right in them when it has all of one of these sets.
   * Without it any valid arguments are.
   */
  readonly given?: readonly { readonly [parameter: string]: string | number | readonly string[] }[]
}

/** Numbers the tasks of one tool. */
export function tasksOf(
  prefix: string,
  expected: string,
  tasks: readonly (readonly [user: string, ...given: NonNullable<Task['given']>])[],
): readonly Task[] {
  return tasks.map(([user, ...given], index) => ({
    id: `${prefix}-${index + 1}`,
    user,
    expected,
    ...(given.length === 0 ? {} : { given }),
  }))
}
