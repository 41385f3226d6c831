import { isDeepStrictEqual } from 'node:util'
import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import { isConfigMapKey } from 'orch/sdk/validation'

/** The maximum size of all decoded values of one object. */
export const maxDataBytes = 1024 * 1024

/** Every key must be usable as a file name. `field` is the map. */
export function checkKeys(field: string, data: object = {}): FieldError[] {
  const errors: FieldError[] = []
  for (const key of Object.keys(data))
    for (const text of isConfigMapKey(key)) errors.push(invalidValue(`${field}[${key}]`, key, text))
  return errors
}

/** The number of bytes in a map of strings, or of values in base64. */
export function dataBytes(data: Readonly<Record<string, string>> = {}, encoding: 'utf8' | 'base64' = 'utf8'): number {
  let sum = 0
  // Not `Object.values`, which takes three times as long for thousands of keys (test/limits/large).
  for (const key of Object.keys(data)) sum += Buffer.byteLength(data[key]!, encoding)
  return sum
}

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
