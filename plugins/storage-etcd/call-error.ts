import type { status } from '@grpc/grpc-js'

/** The error of a failed call, with the same fields as the errors of @grpc/grpc-js. */
export class CallError extends Error {
  readonly code: status
  readonly details: string
  /** Whether the member certainly did not receive the request. */
  readonly isUnsent: boolean
  constructor(code: status, details: string, isUnsent = false) {
    super(`${code} ${details}`)
    this.name = 'CallError'
    this.code = code
    this.details = details
    this.isUnsent = isUnsent
  }
}
