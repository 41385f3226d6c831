import type { ApiError } from 'orch/sdk'

/** Keeps the values of a request to a sensitive type out of every message about it. */
export interface Redaction {
  /** Registers an object of the type, or a patch of one. */
  add(source: unknown): void
  /** The text without any of the values. */
  removeFrom(text: string): string
  /** The error without any of the values, and without its cause, which could contain anything. */
  removeFromError(error: ApiError): ApiError
}
