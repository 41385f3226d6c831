import { type ServiceError, status } from '@grpc/grpc-js'
import { StorageError } from 'orch/sdk/host'
import { CallError } from './call-error.js'

/** Texts of errors that have the same gRPC code. */
const texts = {
  compacted: 'mvcc: required revision has been compacted',
  future: 'mvcc: required revision is a future revision',
  noSpace: 'mvcc: database space exceeded',
  tooLarge: 'request is too large',
}
const isServiceError = (error: unknown): error is ServiceError | CallError =>
  error instanceof Error && 'code' in error && 'details' in error
const says = (error: unknown, text: string): boolean => isServiceError(error) && error.details.includes(text)

export const isCompacted = (error: unknown): boolean => says(error, texts.compacted)
export const isNoSpace = (error: unknown): boolean => says(error, texts.noSpace)
/** The response exceeds the maximum message size and was discarded unread. */
export const isAnswerTooLarge = (error: unknown): boolean =>
  isServiceError(error) && error.code === status.RESOURCE_EXHAUSTED && says(error, 'Received message larger than max')

const otherMemberMayHelp = new Set<number>([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
])
/** No response, or an error that is not about the request itself: another member may succeed. */
export const isOutage = (error: unknown): error is ServiceError | CallError =>
  isServiceError(error) && otherMemberMayHelp.has(error.code)

/** The member holds the connection and does not answer: it is halted, or cut off. One that is restarting refuses connections. */
export const isUnanswered = (error: unknown): boolean =>
  isServiceError(error) && error.code === status.DEADLINE_EXCEEDED

/** Whether the request certainly did not reach a member, so that it can be retried. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof CallError
    ? error.isUnsent
    : isServiceError(error) &&
      error.code === status.UNAVAILABLE &&
      /No connection established|ECONNREFUSED|Name resolution failed|ENOTFOUND|EHOSTUNREACH/.test(error.details)

/** Certificate verification failed: retrying does not help, though another member may have a valid certificate. */
export const isTlsRefusal = (error: unknown): boolean =>
  isServiceError(error) && /SSL routines|certificate|wrong version number/i.test(error.details)

/** Converts an error of etcd to the StorageError for callers of the store. */
export function storageErrorFrom(error: unknown): unknown {
  if (!isServiceError(error)) return error
  const { code, details } = error
  const cause = { cause: error }
  if (isNoSpace(error)) {
    return new StorageError('full', 'etcd has exceeded its quota: compact, defragment, then disarm its alarm', cause)
  }
  if (details.includes(texts.tooLarge) || (code === status.RESOURCE_EXHAUSTED && details.includes('larger than max'))) {
    return new StorageError('tooLarge', "the object is larger than etcd's --max-request-bytes", cause)
  }
  if (details.includes(texts.future))
    return new StorageError('unavailable', 'etcd has not reached that revision yet', cause)
  if (code === status.DATA_LOSS || details.includes('corrupt')) {
    return new StorageError('corrupt', `etcd reports damage: ${details}`, cause)
  }
  return new StorageError('unavailable', `etcd does not answer: ${details.split('\n')[0]}`, cause)
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
