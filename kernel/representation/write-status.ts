import { ApiError } from 'orch/sdk'
import { writeYaml } from 'orch/sdk/files'
import { CompactedError, StorageError } from 'orch/sdk/host'
import type { Exchange, Headers } from '../contracts/exchange.js'
import type { Representation } from '../contracts/representation.js'

/** The Status object of a response. This file is the only place where errors become responses. */
export interface StatusBody {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string }
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: unknown
  readonly code?: number
}

/** Converts anything that was thrown to an error for the client. The messages of unknown errors are not disclosed. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof CompactedError) {
    return new ApiError(410, 'Expired', 'The provided resource version is too old: it is no longer kept')
  }
  if (thrown instanceof StorageError) return storageFailure(thrown)
  // The last resort when recursive code meets a value that nests too deeply: not a failure of the server.
  if (isStackOverflow(thrown))
    return new ApiError(413, 'RequestEntityTooLarge', 'the object nests too deeply for this operation', undefined, {
      cause: thrown,
    })
  return new ApiError(500, 'InternalError', 'Internal error occurred: see the server log for this request', undefined, {
    cause: thrown,
  })
}

/** Logged although a client's object caused it: some recursive code lacks a depth limit. */
export const isStackOverflow = (thrown: unknown): boolean =>
  thrown instanceof RangeError && thrown.message.startsWith('Maximum call stack')

function storageFailure(error: StorageError): ApiError {
  switch (error.kind) {
    case 'full':
      return new ApiError(507, 'InsufficientStorage', `the store is full: ${error.message}`, undefined, {
        cause: error,
      })
    case 'unreadable':
      return new ApiError(500, 'InternalError', `Internal error occurred: ${error.message}`, undefined, {
        cause: error,
      })
    case 'sealed':
      return new ApiError(503, 'ServiceUnavailable', error.message, { retryAfterSeconds: 1 }, { cause: error })
    case 'tooLarge':
      return new ApiError(413, 'RequestEntityTooLarge', error.message, undefined, { cause: error })
    default:
      return new ApiError(
        503,
        'ServiceUnavailable',
        'the store is not available',
        { retryAfterSeconds: 1 },
        { cause: error },
      )
  }
}

export function statusOf(error: ApiError): StatusBody {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error.continueToken === undefined ? {} : { continue: error.continueToken },
    status: 'Failure',
    message: error.message,
    ...(error.reason === '' ? {} : { reason: error.reason }),
    ...(error.details === undefined ? {} : { details: error.details }),
    code: error.code,
  }
}

/** Encodes a Status in Protobuf; provided by the representation layer. */
export type StatusEncoder = (status: StatusBody) => Buffer

/** Responds with an error. */
export function writeError(
  exchange: Exchange,
  thrown: unknown,
  representation: Representation | undefined,
  isPretty: boolean,
  encodeProtobuf: StatusEncoder,
): ApiError {
  const error = toApiError(thrown)
  if (exchange.isAnswered) return error
  const headers: Headers = { 'Cache-Control': 'no-cache, private' }
  if (error.details?.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.details.retryAfterSeconds)
  const form = representation?.ofErrors ?? representation
  writeStatus(exchange, error.code, statusOf(error), headers, form, isPretty, encodeProtobuf)
  return error
}

/**
 * Responds with a Status object in the encoding that the client accepts for plain objects: a Status has no views (Table …). A client
 * that accepts only views gets readable JSON.
 */
export function writeStatus(
  exchange: Exchange,
  code: number,
  status: StatusBody,
  headers: Headers,
  representation: Representation | undefined,
  isPretty: boolean,
  encodeProtobuf: StatusEncoder,
): void {
  const plain = representation?.as === 'object' ? representation : representation?.plain
  const format = plain?.format ?? 'json'
  headers['Content-Type'] = plain?.contentType ?? 'application/json'
  if (format === 'protobuf') exchange.send(code, headers, encodeProtobuf(status))
  else if (format === 'yaml') exchange.send(code, headers, writeYaml(status))
  else if (plain === undefined) exchange.send(code, headers, JSON.stringify(status, null, 2))
  else exchange.send(code, headers, isPretty ? `${JSON.stringify(status, null, 2)}\n` : `${JSON.stringify(status)}\n`)
}
