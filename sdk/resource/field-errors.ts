import { writeJson } from '../../libs/json/index.js'
/** One error of one field. Validation returns all of them at once; it never throws. */
export interface FieldError {
  readonly type: FieldErrorType
  /** Dotted path with list indexes and map keys in brackets: `spec.ports[0].name`, `data[key]`. */
  readonly field: string
  readonly detail: string
  readonly value?: unknown
}

/** Adds the items of other lists. Not `push(...items)`: a call takes only so many arguments, and there may be more errors. */
export function addAll<T>(to: T[], ...lists: readonly Iterable<T>[]): void {
  for (const items of lists) for (const item of items) to.push(item)
}

/** The types of field errors, as in the causes of a Status. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

/** The field must be set. */
export const requiredValue = (field: string, detail = ''): FieldError => ({ type: 'FieldValueRequired', field, detail })
/** The value breaks the rule that `detail` states. */
export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  value,
  detail,
})
/** The value is not one of the supported ones. */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map(v => JSON.stringify(v)).join(', ')}`,
})
/** The value occurs twice. */
export const duplicate = (field: string, value: unknown): FieldError => ({
  type: 'FieldValueDuplicate',
  field,
  value,
  detail: '',
})
/** The field must not be set, for the reason in `detail`. */
export const forbiddenField = (field: string, detail: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  detail,
})
/** The value names something that does not exist. */
export const fieldNotFound = (field: string, value: unknown): FieldError => ({
  type: 'FieldValueNotFound',
  field,
  value,
  detail: '',
})
/** The value has too many bytes. */
export const tooLong = (field: string, maxBytes: number): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  detail: `must have at most ${maxBytes} bytes`,
})
/** The list has too many items. */
export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  value: actual,
  detail: `must have at most ${max} items`,
})

const titles: Record<FieldErrorType, string> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueNotFound: 'Not found',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
}

/** Longer values are truncated: one may be as large as a body. */
const maxQuotedLength = 10_000
function quoted(value: unknown): string {
  const text = String(writeJson(value))
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text
}

/** The message of a field error, without the field. */
export function describeFieldError(error: FieldError): string {
  const title = titles[error.type]
  const withValue =
    'value' in error && error.value !== undefined && error.type !== 'FieldValueForbidden'
      ? `${title}: ${quoted(error.value)}`
      : title
  return error.detail === '' ? withValue : `${withValue}: ${error.detail}`
}
