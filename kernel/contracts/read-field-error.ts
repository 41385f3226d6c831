import type { FieldError } from 'orch/sdk'
import { isObject } from '../../libs/json/index.js'

/** Every type of field errors: one that is left out of this table is a compile error. */
const types: Readonly<Record<FieldError['type'], true>> = {
  FieldValueRequired: true,
  FieldValueInvalid: true,
  FieldValueNotSupported: true,
  FieldValueDuplicate: true,
  FieldValueForbidden: true,
  FieldValueNotFound: true,
  FieldValueTooLong: true,
  FieldValueTooMany: true,
  FieldValueTypeInvalid: true,
  InternalError: true,
}
const isType = (value: unknown): value is FieldError['type'] => typeof value === 'string' && Object.hasOwn(types, value)

/** A field error that code outside of the server reports; undefined if it is none. */
export function readFieldError(error: unknown): FieldError | undefined {
  const { type = 'FieldValueInvalid', field, detail, value } = isObject(error) ? error : {}
  if (!isType(type) || typeof field !== 'string' || typeof detail !== 'string') return undefined
  return value === undefined ? { type, field, detail } : { type, field, detail, value }
}
