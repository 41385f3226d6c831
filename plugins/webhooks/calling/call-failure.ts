/** The webhook could not be called, or its response is invalid. The failure policy applies. */
export class CallFailure extends Error {
  /** Whether it timed out. */
  readonly isTimeout: boolean
  /** The HTTP status of the webhook's response; 400 if there was none. */
  readonly status: number
  constructor(message: string, options: ErrorOptions & { isTimeout?: boolean; status?: number } = {}) {
    super(message, options)
    this.name = 'CallFailure'
    this.isTimeout = options.isTimeout ?? false
    this.status = options.status ?? 400
  }
}
