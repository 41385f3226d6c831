import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue } from 'orch/sdk'

/** An error unless the value is still what it was. */
export const checkUnchanged = (sent: unknown, stored: unknown, field: string): FieldError[] =>
  isDeepStrictEqual(sent, stored) ? [] : [invalidValue(field, sent, 'field is immutable')]
