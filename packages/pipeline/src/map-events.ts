/**
 * Passes on what a generator yields, changed by `map`, and returns what it returns. Leaving the result early leaves
 * the source too, so that a model's stream is closed when the consumer stops listening.
 */
export async function* mapEvents<In, Out, Result>(
  source: AsyncGenerator<In, Result, void>,
  map: (event: In) => Out | Promise<Out>,
): AsyncGenerator<Out, Result, void> {
  try {
    for (;;) {
      const next = await source.next()
      if (next.done) return next.value
      yield await map(next.value)
    }
  } finally {
    await source.return(undefined as never)
  }
}
