/** A value that does not match its type, so that its fields cannot be determined. */
export class TypedValueError extends Error {
  constructor(path: string, finding: string) {
    super(path === '' ? finding : `${path}: ${finding}`)
    this.name = 'TypedValueError'
  }
}
