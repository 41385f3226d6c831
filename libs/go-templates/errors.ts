/** Thrown for an invalid template, or one that uses an unsupported feature. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TemplateError'
  }
}
