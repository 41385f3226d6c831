/** The webhook could not be called, or its response is invalid. The failure policy applies. */
export class CallFailure extends Error {
  /** It took too long, rather than being refused or broken. */
  readonly isTimeout: boolean
  /** The status the webhook answered with instead of an answer; that of a bad request when there was none. */
  readonly status: number
  constructor(message: string, options: ErrorOptions & { isTimeout?: boolean; status?: number } = {}) {
    super(message, options)
    this.name = 'CallFailure'
    this.isTimeout = options.isTimeout ?? false
    this.status = options.status ?? 400
  }
}
