import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { ModelFileError } from './model-file-error.mjs'

const maxRedirects = 5

/**
 * Sends a GET request and follows redirects; the body has not been read yet. Throws `hub-unreachable` when there is
 * no answer within the limit (each redirect has its own), and the signal's reason on an abort.
 * @param {string} url
 * @param {{ headers?: Record<string, string>, answerWithinMs: number, signal?: AbortSignal }} options
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
export async function openUrl(url, options) {
  let address = new URL(url)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await request(address, options)
    const { statusCode = 0, headers } = response
    if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) return response
    response.resume()
    const next = new URL(headers.location, address)
    if (address.protocol === 'https:' && next.protocol !== 'https:') {
      throw new ModelFileError(
        'http-status',
        `${address.host} sent the download on to an unencrypted address.`,
      )
    }
    address = next
  }
  throw new ModelFileError(
    'http-status',
    `${address.host} sent the download on more than ${maxRedirects} times.`,
  )
}

/**
 * @param {URL} address
 * @param {{ headers?: Record<string, string>, answerWithinMs: number, signal?: AbortSignal }} options
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
function request(address, { headers = {}, answerWithinMs, signal }) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    // No compression: ranges and sizes are those of the file itself.
    const allHeaders = { 'accept-encoding': 'identity', 'user-agent': 'icm-demo', ...headers }
    const get = address.protocol === 'https:' ? getSecure : getPlain
    const sent = get(address, { headers: allHeaders, signal })
    const timer = setTimeout(() => {
      sent.destroy(new Error(`no answer within ${answerWithinMs / 1000} seconds`))
    }, answerWithinMs)
    sent.once('response', (response) => {
      clearTimeout(timer)
      resolve(response)
    })
    sent.once('error', (error) => {
      clearTimeout(timer)
      if (signal?.aborted) return reject(signal.reason)
      reject(
        new ModelFileError('hub-unreachable', `${address.host} was not reached: ${reasonOf(error)}.`, {
          cause: error,
        }),
      )
    })
  })
}

/** @param {Error} error */
function reasonOf(error) {
  // A host with several addresses fails with one error for all of them, whose own message is empty.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}
