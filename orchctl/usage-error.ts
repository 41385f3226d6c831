import { TemplateError } from '../libs/go-templates/index.js'
import { JsonPathError } from '../libs/json-path/index.js'

/** An invalid command line; the message says what to write instead. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
  }
}

/** Whether an error is about the command line, or a path or template in it. */
export const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof JsonPathError || error instanceof TemplateError
