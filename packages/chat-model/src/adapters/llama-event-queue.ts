/** Joins a producer that pushes (an engine's callbacks) to a consumer that pulls (a generator). */
export interface EventQueue<Event> {
  push(event: Event): void
  /** No more events; the consumer still gets those already pushed. */
  end(): void
  /** The consumer still gets the events already pushed, then this error. */
  fail(error: unknown): void
  /** Yields what was pushed, in order. An abort of `signal` overtakes waiting events and throws its reason untouched. */
  read(signal?: AbortSignal): AsyncGenerator<Event, void, void>
}

/** An unbounded queue for one producer and one consumer. */
export function createEventQueue<Event>(): EventQueue<Event> {
  const waiting: Event[] = []
  let closed: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined

  const notify = () => {
    wake?.()
    wake = undefined
  }
  const close = (how: { readonly error?: unknown }) => {
    closed ??= how
    notify()
  }

  async function* read(signal?: AbortSignal): AsyncGenerator<Event, void, void> {
    signal?.addEventListener('abort', notify)
    try {
      while (true) {
        signal?.throwIfAborted()
        const event = waiting.shift()
        if (event !== undefined) yield event
        else if (closed === undefined) await new Promise<void>((resolve) => (wake = resolve))
        else if ('error' in closed) throw closed.error
        else return
      }
    } finally {
      signal?.removeEventListener('abort', notify)
    }
  }

  return {
    push(event) {
      if (closed !== undefined) return
      waiting.push(event)
      notify()
    },
    end: () => close({}),
    fail: (error) => close({ error }),
    read,
  }
}
