import { recognizedAcrossCopies } from '../plugin/across-copies.js'
import { describeFieldError, type FieldError } from './field-errors.js'

/** One cause of a failure, as in a Status object. */
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** Machine-readable details of a failure. */
export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** What an error may have in addition to the parts of every Status. */
export interface ApiErrorOptions extends ErrorOptions {
  readonly continueToken?: string | undefined
}

/**
 * An answer that is not a success. Thrown by verbs and admission, turned into a Status object in exactly one place
 * (kernel/representation/write-status.ts). Anything else that is thrown becomes a 500 that leaks nothing.
 */
export class ApiError extends Error {
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined
  /** With a 410 for an expired continue token: a token that continues the list at the newest version. */
  readonly continueToken: string | undefined
  constructor(code: number, reason: string, message: string, details?: StatusDetails, options?: ApiErrorOptions) {
    super(message, options)
    this.continueToken = options?.continueToken
    this.name = 'ApiError'
    this.code = code
    this.reason = reason
    this.details = details
  }
}
recognizedAcrossCopies(ApiError, 'ApiError')

/** What an error is about. `kind` in details is the resource name, except in validation failures, where it is the kind. */
export interface ErrorSubject {
  readonly group: string
  readonly resource: string
  readonly name?: string
}

const about = ({ group, resource, name }: ErrorSubject): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(group ? { group } : {}),
  ...(resource ? { kind: resource } : {}),
})
const qualified = ({ group, resource }: ErrorSubject) => (group ? `${resource}.${group}` : resource)

/** 400: the request itself is invalid. */
export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message)
/** 401: the client is not authenticated. */
export const unauthorized = (message = 'Unauthorized'): ApiError => new ApiError(401, 'Unauthorized', message)
/** 403: the user may not do this, or an admission control refused it. */
export const forbidden = (subject: ErrorSubject, why: string): ApiError =>
  new ApiError(
    403,
    'Forbidden',
    subject.resource
      ? `${qualified(subject)}${subject.name ? ` "${subject.name}"` : ''} is forbidden: ${why}`
      : `forbidden: ${why}`,
    about(subject),
  )
/** 404: there is no such object. */
export const notFound = (subject: ErrorSubject): ApiError =>
  new ApiError(404, 'NotFound', `${qualified(subject)} "${subject.name ?? ''}" not found`, about(subject))
/** No such path is served. */
export const pathNotFound = (): ApiError =>
  new ApiError(404, 'NotFound', 'the server could not find the requested resource', {})
/** 405: the type has no such verb. */
export const methodNotSupported = (subject: ErrorSubject, verb: string): ApiError =>
  new ApiError(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${qualified(subject)}"`, {
    ...(subject.group ? { group: subject.group } : {}),
    kind: subject.resource,
  })
/** 409: the name is taken. */
export const alreadyExists = (subject: ErrorSubject): ApiError =>
  new ApiError(409, 'AlreadyExists', `${qualified(subject)} "${subject.name ?? ''}" already exists`, about(subject))
/** 409: the object has changed meanwhile; read it again. */
export const conflict = (subject: ErrorSubject, why: string): ApiError =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(subject)} "${subject.name ?? ''}": ${why}`,
    about(subject),
  )
/** 413: the body has too many bytes. */
export const tooLarge = (message: string): ApiError => new ApiError(413, 'RequestEntityTooLarge', message)
/** 429: retry after this time. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'TooManyRequests', message, { retryAfterSeconds })
/** 500: the server failed; `cause` goes to the log, not to the client. */
export const internalError = (message: string, options?: ErrorOptions): ApiError =>
  new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }, options)
/** 503: temporarily unavailable. */
export const serviceUnavailable = (message: string, retryAfterSeconds?: number): ApiError =>
  new ApiError(503, 'ServiceUnavailable', message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds })
/** 504: it took too long. */
export const timedOut = (message: string, details?: StatusDetails): ApiError =>
  new ApiError(504, 'Timeout', message, details)

/** The limit of reported errors. A body can break rules in very many places, and each error quotes a value. */
const maxCauses = 100

/** 422: the object breaks rules; one cause per field. */
export function invalid(kind: { group: string; kind: string }, name: string, errors: readonly FieldError[]): ApiError {
  const causes = errors
    .slice(0, maxCauses)
    .map(e => ({ reason: e.type, message: describeFieldError(e), field: e.field }))
  // What several causes say in the same words is said once.
  const sentences = [...new Set(causes.map(c => `${c.field}: ${c.message}`))]
  const text = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`
  const what = kind.group ? `${kind.kind}.${kind.group}` : kind.kind
  return new ApiError(422, 'Invalid', `${what} "${name}" is invalid: ${text}`, {
    ...(name ? { name } : {}),
    ...(kind.group ? { group: kind.group } : {}),
    ...(kind.kind ? { kind: kind.kind } : {}),
    causes,
  })
}

/** The Status of an action that returns no object. */
export const successStatus = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success', code: 201 } as const
