import type { Emit } from './emit.js'
import type { AgentEvent } from './types.js'

/** Turns what a function emits into what a generator yields: one event at a time, each waits until it is taken. */
export interface EventHandover {
  readonly emit: Emit
  /** The next event, or undefined once the work is over. Asking for it lets the work go on from the last one. */
  next(): Promise<AgentEvent | undefined>
  /** To be called when the work is over. */
  end(): void
  /** Makes the emit that waits throw: nobody takes its event any more. */
  leave(): void
}

interface Offer {
  readonly event: AgentEvent
  readonly goOn: () => void
  readonly stop: (reason: unknown) => void
}

export function createEventHandover(): EventHandover {
  let offered: Offer | undefined
  let taken: Offer | undefined
  let wake: (() => void) | undefined
  let isOver = false
  return {
    emit: (event) =>
      new Promise<void>((goOn, stop) => {
        offered = { event, goOn, stop }
        wake?.()
      }),
    async next() {
      taken?.goOn()
      if (offered === undefined && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      taken = offered
      offered = undefined
      return taken?.event
    },
    end() {
      isOver = true
      wake?.()
    },
    leave() {
      const waiting = offered ?? taken
      waiting?.stop(new DOMException('The consumer of the events left.', 'AbortError'))
    },
  }
}
