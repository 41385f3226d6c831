/** The webhook could not be asked, or what came back is no answer. The failure policy decides what that means. */
export class CallFailure extends Error {
  /** It took too long, rather than being refused or broken. */
  readonly isTimeout: boolean
  constructor(message: string, options: ErrorOptions & { isTimeout?: boolean } = {}) {
    super(message, options)
    this.name = 'CallFailure'
    this.isTimeout = options.isTimeout ?? false
  }
}
