import { formatBytes } from './format-bytes.mjs'

/** On a terminal the line is rewritten this often, elsewhere a new one is written. */
const redrawMs = { terminal: 200, plain: 5000 }
/** Speed is that of the last seconds: an average over everything hides a connection that slowed down. Long enough for
 * the packages of a mirror, which come whole, one in several seconds. */
const speedWindowMs = 20_000

/**
 * @typedef {object} ProgressLine
 * @property {(done: number, total: number) => void} update in bytes
 * @property {() => void} end finishes the line
 */

/**
 * One line of progress: percent, speed and time left.
 * @param {string} label
 * @param {{ output?: NodeJS.WritableStream & { isTTY?: boolean, columns?: number }, now?: () => number, env?: NodeJS.ProcessEnv }} [options]
 *   `output` defaults to stderr, `now` to a clock in milliseconds, `env` (for TERM) to `process.env`
 * @returns {ProgressLine}
 */
export function createProgressLine(
  label,
  { output = process.stderr, now = () => performance.now(), env = process.env } = {},
) {
  const terminal = output.isTTY === true && env.TERM !== 'dumb'
  const interval = terminal ? redrawMs.terminal : redrawMs.plain
  /** @type {{ at: number, done: number }[]} */
  let samples = []
  let drawnAt = Number.NEGATIVE_INFINITY
  let drawn = false

  /** @param {number} done @param {number} total */
  function draw(done, total) {
    const text = `${label}: ${describeProgress(done, total, bytesPerSecond(samples))}`
    const shown = terminal ? `\r\u001b[K${text.slice(0, (output.columns || 80) - 1)}` : `${text}\n`
    output.write(shown)
    drawn = true
  }

  return {
    update(done, total) {
      const at = now()
      // What an earlier attempt left is no speed of this one.
      samples = [
        ...samples.filter((sample) => at - sample.at <= speedWindowMs || sample === samples.at(-1)),
        { at, done },
      ]
      if (at - drawnAt < interval && done < total) return
      drawnAt = at
      draw(done, total)
    },
    end() {
      if (terminal && drawn) output.write('\n')
      drawn = false
    },
  }
}

/**
 * @param {number} done
 * @param {number} total
 * @param {number | undefined} speed bytes per second
 */
export function describeProgress(done, total, speed) {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const base = `${String(percent).padStart(3)} % of ${formatBytes(total)}`
  if (speed === undefined || speed <= 0) return base
  return `${base}, ${formatBytes(Math.round(speed))}/s, ${formatSeconds((total - done) / speed)} left`
}

/** @param {readonly { at: number, done: number }[]} samples */
function bytesPerSecond(samples) {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < 200) return undefined
  return ((last.done - first.done) * 1000) / (last.at - first.at)
}

/** @param {number} seconds */
function formatSeconds(seconds) {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
