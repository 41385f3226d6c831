import { recognizedAcrossCopies } from '../plugin/across-copies.js'
import { ApiError, type StatusDetails } from '../resource/api-errors.js'

/** Thrown when there is no response at all: refused, reset, timed out, wrong certificate. A subclass of ApiError, so that callers can catch one class. */
export class ConnectionError extends ApiError {
  /** The server can be reached, but TLS failed: its certificate is not trusted, or it does not support TLS. */
  readonly isTlsFailure: boolean
  constructor(message: string, options?: ErrorOptions & { readonly isTlsFailure?: boolean }) {
    super(503, 'ServiceUnavailable', message, undefined, options)
    this.name = 'ConnectionError'
    this.isTlsFailure = options?.isTlsFailure ?? false
  }
}
recognizedAcrossCopies(ConnectionError, 'ConnectionError')

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}
/** How much of a response that is not a Status is shown in a message. */
const excerptLength = 200

/** The error of a failed response: for a Status with its details, reason and message. */
export function errorFromAnswer(status: number, bodyText: string, retryAfterSeconds?: number): ApiError {
  const sent = statusIn(bodyText)
  if (sent !== undefined) return errorFromStatus(sent, status, retryAfterSeconds)
  const excerpt = bodyText.trim().slice(0, excerptLength)
  const message = `the server responded with ${status}${excerpt === '' ? '' : `: ${excerpt}`}`
  return new ApiError(status, reasons[status] ?? '', message, withRetryAfter(undefined, retryAfterSeconds))
}

interface Status {
  readonly kind?: unknown
  readonly code?: unknown
  readonly reason?: unknown
  readonly message?: unknown
  readonly details?: unknown
  readonly metadata?: unknown
}
function statusIn(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && (value as Status).kind === 'Status') return value as Status
  } catch {
    // Not JSON: the page of a proxy, or plain text. The caller shows an excerpt.
  }
  return undefined
}

/** The error that a Status object describes, from a response or a watch. */
export function errorFromStatus(status: unknown, fallbackCode = 500, retryAfterSeconds?: number): ApiError {
  const { code, reason, message, details, metadata } = (status ?? {}) as Status
  const number = typeof code === 'number' && code !== 0 ? code : fallbackCode
  return new ApiError(
    number,
    typeof reason === 'string' ? reason : (reasons[number] ?? ''),
    typeof message === 'string' && message !== '' ? message : `the server responded with ${number}`,
    withRetryAfter(typeof details === 'object' && details !== null ? details : undefined, retryAfterSeconds),
    { continueToken: continueIn(metadata) },
  )
}

function continueIn(metadata: unknown): string | undefined {
  const token = (metadata as { continue?: unknown } | undefined)?.continue
  return typeof token === 'string' && token !== '' ? token : undefined
}

function withRetryAfter(details: StatusDetails | undefined, seconds: number | undefined): StatusDetails | undefined {
  return seconds === undefined || details?.retryAfterSeconds ? details : { ...details, retryAfterSeconds: seconds }
}

/** Whether this is the error of an expired version or continue token: list again. */
export const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 410
/** Whether this is the error of an object that does not exist, as opposed to a path that is not served. */
export const isObjectNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 404 && error.details?.name !== undefined
