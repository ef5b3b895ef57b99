import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLimitTimer } from './limit-timer.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function record() {
  const over: string[] = []
  return { over, timer: createLimitTimer((limit) => over.push(limit)) }
}

it('says which limit is over, and when', () => {
  const { over, timer } = record()
  timer.start('connectTimeoutMs', 100)
  vi.advanceTimersByTime(60)
  timer.start('firstTokenTimeoutMs', 100)
  vi.advanceTimersByTime(99)
  expect(over).toEqual([])
  vi.advanceTimersByTime(2)
  expect(over).toEqual(['firstTokenTimeoutMs'])
})

it('takes a shorter limit after a longer one', () => {
  const { over, timer } = record()
  timer.start('firstTokenTimeoutMs', 10_000)
  timer.start('idleTimeoutMs', 50)
  vi.advanceTimersByTime(51)
  expect(over).toEqual(['idleTimeoutMs'])
})

it('does not count while it is stopped, and begins anew', () => {
  const { over, timer } = record()
  for (let turn = 0; turn < 20; turn++) {
    timer.start('idleTimeoutMs', 50)
    vi.advanceTimersByTime(40)
    timer.stop()
    vi.advanceTimersByTime(500)
  }
  expect(over).toEqual([])
})

it('ten minutes are ten minutes, whatever ran before', () => {
  const { over, timer } = record()
  timer.start('connectTimeoutMs', 10_000)
  timer.start('firstTokenTimeoutMs', 600_000)
  vi.advanceTimersByTime(599_000)
  expect(over).toEqual([])
  vi.advanceTimersByTime(1_001)
  expect(over).toEqual(['firstTokenTimeoutMs'])
})

it('0 and what setTimeout cannot wait are no limit; an end leaves no timer', () => {
  const { over, timer } = record()
  for (const off of [0, -1, Number.POSITIVE_INFINITY, 2 ** 31]) timer.start('idleTimeoutMs', off)
  expect(vi.getTimerCount()).toBe(0)
  timer.start('idleTimeoutMs', 50)
  timer.end()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(1_000)
  expect(over).toEqual([])
})
