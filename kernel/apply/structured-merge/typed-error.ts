/** A value that does not fit its type, so that nothing can be said about its fields. */
export class TypedValueError extends Error {
  /** The bare finding; `message` has the path in front. */
  constructor(path: string, finding: string) {
    super(path === '' ? finding : `${path}: ${finding}`)
    this.name = 'TypedValueError'
  }
}
