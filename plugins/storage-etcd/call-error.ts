import type { status } from '@grpc/grpc-js'

/** Why a call of etcd failed, in the form in which @grpc/grpc-js tells it. */
export class CallError extends Error {
  readonly code: status
  readonly details: string
  /** The member cannot have got the request. */
  readonly isUnsent: boolean
  constructor(code: status, details: string, isUnsent = false) {
    super(`${code} ${details}`)
    this.name = 'CallError'
    this.code = code
    this.details = details
    this.isUnsent = isUnsent
  }
}
