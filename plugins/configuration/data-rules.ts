import { isDeepStrictEqual } from 'node:util'
import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import { isConfigMapKey } from 'orch/sdk/validation'

/** What one object may hold, all values together, decoded. Bigger things do not belong into the store. */
export const maxDataBytes = 1024 * 1024

/** Every key must be usable as a file name. `field` is the map that holds them. */
export const checkKeys = (field: string, data: object = {}): FieldError[] =>
  Object.keys(data).flatMap(key => isConfigMapKey(key).map(text => invalidValue(`${field}[${key}]`, key, text)))

/** The number of bytes in a map of texts. */
export const textBytes = (data: Readonly<Record<string, string>> = {}): number =>
  Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0)

/** The number of bytes in a map of base64 values. */
export const binaryBytes = (data: Readonly<Record<string, string>> = {}): number =>
  Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0)

interface MayBeImmutable {
  readonly immutable?: boolean
}
/** Once `immutable` is true it stays so, and the named maps keep their contents. Metadata may still change. */
export function checkImmutable<T extends MayBeImmutable>(
  sent: T,
  stored: T,
  maps: readonly (keyof T & string)[],
): FieldError[] {
  if (stored.immutable !== true) return []
  const isChanged = (field: keyof T) => !isDeepStrictEqual(sent[field] ?? {}, stored[field] ?? {})
  return [...(sent.immutable === true ? [] : ['immutable']), ...maps.filter(isChanged)].map(field =>
    forbiddenField(field, 'field is immutable when `immutable` is set'),
  )
}
