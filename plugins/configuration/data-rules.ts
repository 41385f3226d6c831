import { isDeepStrictEqual } from 'node:util'
import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import { isConfigMapKey } from 'orch/sdk/validation'

/** The maximum size of all decoded values of one object. */
export const maxDataBytes = 1024 * 1024

/**
 * Checks a map of strings, or of values in base64: every key must be usable as a file name. `field` is the map. Returns the number of
 * bytes in its values. One walk, because an object may have tens of thousands of keys (test/limits/large).
 */
export function checkData(
  field: string,
  data: Readonly<Record<string, string>> = {},
  encoding: 'utf8' | 'base64',
  errors: FieldError[],
): number {
  let bytes = 0
  for (const key of Object.keys(data)) {
    for (const text of isConfigMapKey(key)) errors.push(invalidValue(`${field}[${key}]`, key, text))
    bytes += Buffer.byteLength(data[key]!, encoding)
  }
  return bytes
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
