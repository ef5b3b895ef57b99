/** Receives text in pieces and hands on whole lines. */
export interface LineSplitter {
  push(text: string): void
  /** Hands on what stands after the last line end. */
  end(): void
}

/**
 * Splits a stream into lines, without their ends. Of a line that is longer than `maxCharacters` only the beginning is
 * handed on, once; the rest up to the next line end is passed over, so that memory stays bounded.
 */
export function splitLines(maxCharacters: number, onLine: (line: string) => void): LineSplitter {
  let pending = ''
  let skipping = false
  const flush = () => {
    const line = pending.endsWith('\r') ? pending.slice(0, -1) : pending
    pending = ''
    if (!skipping) onLine(line)
    skipping = false
  }
  const append = (text: string) => {
    if (skipping) return
    pending += text
    if (pending.length <= maxCharacters) return
    pending = pending.slice(0, maxCharacters)
    flush()
    skipping = true
  }
  return {
    push: (text) => {
      const [first = '', ...others] = text.split('\n')
      append(first)
      for (const part of others) {
        flush()
        append(part)
      }
    },
    end: () => {
      if (pending !== '') flush()
    },
  }
}
