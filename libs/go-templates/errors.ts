/** A text that is no template, or one that asks for what is not supported. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TemplateError'
  }
}
