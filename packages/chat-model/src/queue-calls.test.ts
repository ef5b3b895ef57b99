import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { generate } from './generate.js'
import { queueCalls } from './queue-calls.js'
import { scripted } from './testing/scripted.js'

function gate() {
  const opens: (() => void)[] = []
  const step = () => new Promise<string>((resolve) => opens.push(() => resolve('ok')))
  return { step, opens }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('lets one call through at a time, in order', async () => {
  const { step, opens } = gate()
  const model = scripted([step, step, step])
  const queued = queueCalls(model)
  const calls = ['1', '2', '3'].map((text) => generate(queued, { messages: [{ role: 'user', text }] }))
  for (const count of [1, 2, 3]) {
    await settled()
    expect(model.requests).toHaveLength(count)
    opens[count - 1]?.()
  }
  await Promise.all(calls)
  expect(model.requests.map((request) => request.messages[0]?.text)).toEqual(['1', '2', '3'])
})

it('gives the turn on when a call fails, is aborted or is left', async () => {
  const model = scripted([new TypeError('no'), 'one two', 'a', 'b'])
  const queued = queueCalls(model)
  await expect(generate(queued, { messages: [] })).rejects.toThrow('no')
  for await (const _ of queued.stream({ messages: [] })) break
  const controller = new AbortController()
  const reading = (async () => {
    for await (const _ of queued.stream({ messages: [], signal: controller.signal }))
      controller.abort('enough')
  })()
  await expect(reading).rejects.toBe('enough')
  expect((await generate(queued, { messages: [] })).message.text).toBe('b')
})

it('can be aborted while it waits, and leaves no listener', async () => {
  const { step, opens } = gate()
  const model = scripted([step, 'second'])
  const queued = queueCalls(model)
  const first = generate(queued, { messages: [] })
  const { signal } = new AbortController()
  const controller = new AbortController()
  const waiting = generate(queued, { messages: [], signal: controller.signal })
  const last = generate(queued, { messages: [], signal })
  await settled()
  controller.abort('enough')
  await expect(waiting).rejects.toBe('enough')
  opens[0]?.()
  await first
  expect((await last).message.text).toBe('second')
  expect(model.requests).toHaveLength(2)
  for (const used of [controller.signal, signal]) expect(getEventListeners(used, 'abort')).toEqual([])
})

it('lets several through where it is told to', async () => {
  const { step, opens } = gate()
  const model = scripted([step, step, step])
  const queued = queueCalls(model, { parallel: 2 })
  const calls = [1, 2, 3].map(() => generate(queued, { messages: [] }))
  await settled()
  expect(model.requests).toHaveLength(2)
  opens[1]?.()
  await settled()
  expect(model.requests).toHaveLength(3)
  for (const open of opens) open()
  await Promise.all(calls)
})
