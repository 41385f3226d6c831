/** A value that does not fit its type, so that nothing can be said about its fields. */
export class TypedValueError extends Error {
  constructor(path: string, finding: string) {
    super(path === '' ? finding : `${path}: ${finding}`)
    this.name = 'TypedValueError'
  }
}
