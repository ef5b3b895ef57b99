import { expect, it } from 'vitest'
import { createEventQueue } from './llama-event-queue.js'

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = []
  for await (const event of events) all.push(event)
  return all
}

it('hands over what was pushed before and while it is read, in order', async () => {
  const queue = createEventQueue<number>()
  queue.push(1)
  const reading = collect(queue.read())
  setImmediate(() => {
    queue.push(2)
    queue.push(3)
    setImmediate(queue.end)
  })
  expect(await reading).toEqual([1, 2, 3])
})

it('hands over what was pushed before a failure, then fails', async () => {
  const queue = createEventQueue<number>()
  const failure = { code: 'broken' }
  queue.push(1)
  queue.fail(failure)
  queue.push(2)
  const read: number[] = []
  const reading = (async () => {
    for await (const event of queue.read()) read.push(event)
  })()
  await expect(reading).rejects.toBe(failure)
  expect(read).toEqual([1])
})

it('lets an abort overtake waiting events, and wakes a waiting reader with its reason', async () => {
  const queue = createEventQueue<number>()
  const reason = { why: 'enough' }
  const controller = new AbortController()
  const reading = queue.read(controller.signal)
  queue.push(1)
  queue.push(2)
  expect((await reading.next()).value).toBe(1)
  controller.abort(reason)
  await expect(reading.next()).rejects.toBe(reason)

  const later = new AbortController()
  const waiting = createEventQueue<number>().read(later.signal).next()
  setImmediate(() => later.abort(reason))
  await expect(waiting).rejects.toBe(reason)
})
