import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue } from 'orch/sdk'

/** An error if the value changed. */
export const checkUnchanged = (sent: unknown, stored: unknown, field: string): FieldError[] =>
  isDeepStrictEqual(sent, stored) ? [] : [invalidValue(field, sent, 'field is immutable')]
