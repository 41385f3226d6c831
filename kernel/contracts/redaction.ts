import type { ApiError } from 'orch/sdk'

/** Keeps what a request to a sensitive type brought along out of every message about it. */
export interface Redaction {
  /** Notes an object of the type, or a patch of one. */
  add(source: unknown): void
  /** The text without any of the values. */
  removeFrom(text: string): string
  /** The error without any of the values, and without its cause: nobody knows what that says. */
  removeFromError(error: ApiError): ApiError
}
