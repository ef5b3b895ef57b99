import { BrowserServerError } from '../errors.js'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no web server answers there',
  ECONNRESET: 'the server broke the connection off',
  EHOSTUNREACH: 'there is no way to that machine',
  ENETUNREACH: 'this machine has no way to that network',
  ETIMEDOUT: 'the server did not answer',
  EPIPE: 'the server broke the connection off',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by anybody known',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by anybody known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by anybody known',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EPROTO: 'it does not speak https there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https there',
}

/** A failed connection as an error that says what to do. Errors of this server pass unchanged. */
export function transportError(url: URL, error: unknown): BrowserServerError {
  if (error instanceof BrowserServerError) return error
  const code = errorCode(error)
  const reason =
    (code && reasons[code]) ??
    (code?.startsWith('HPE_') || code?.startsWith('Z_') ? 'its answer is damaged' : undefined)
  return new BrowserServerError(
    {
      code: 'browser/unreachable',
      what: `${url.href} was not read.`,
      why: `"${url.host}": ${reason ?? `the connection failed (${code ?? 'unknown reason'})`}.`,
      instead: 'Read another search result on the same subject.',
      retryable: code === 'ECONNRESET' || code === 'ETIMEDOUT',
    },
    { cause: error },
  )
}

function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  // Several addresses were tried: they fail alike, and the last one speaks for all.
  if (error instanceof AggregateError) return errorCode(error.errors.at(-1))
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
