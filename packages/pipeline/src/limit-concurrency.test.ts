import { expect, it } from 'vitest'
import { limitConcurrency } from './limit-concurrency.js'

it('runs every task, in order, never more than there are places, also behind one that fails', async () => {
  const limit = limitConcurrency(3)
  const started: number[] = []
  let running = 0
  let most = 0
  const task = (number: number) => async () => {
    started.push(number)
    most = Math.max(most, ++running)
    await new Promise((done) => setImmediate(done))
    running--
    if (number === 4) throw new RangeError('four')
    return number
  }
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  const results = await Promise.allSettled(numbers.map((number) => limit(task(number))))
  expect(started).toEqual(numbers)
  expect(most).toBe(3)
  expect(results.map((result) => result.status === 'fulfilled')).toEqual(
    numbers.map((number) => number !== 4),
  )
})
