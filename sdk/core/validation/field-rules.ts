import { type FieldError, invalidValue, notSupported, requiredValue } from '../../resource/field-errors.js'

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** `required` for each of the named fields of `source` that is empty. `field` is the path of `source`. */
export const requireFields = <T extends object>(
  source: T,
  field: string,
  ...names: (keyof T & string)[]
): FieldError[] => names.filter(name => isEmpty(source[name])).map(name => requiredValue(`${field}.${name}`))

/** `notSupported` unless the value is one of those listed. */
export const oneOf = (value: string | undefined, field: string, supported: readonly string[]): FieldError[] =>
  value !== undefined && supported.includes(value) ? [] : [notSupported(field, value ?? '', supported)]

/** A number that must not be below zero, if it is given. */
export const checkNotNegative = (value: number | undefined, field: string): FieldError[] =>
  (value ?? 0) < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : []
