import { addAll, type FieldError, invalidValue, tooLong } from 'orch/sdk'
import type { ConfigMap } from 'orch/sdk/core'
import { binaryBytes, checkImmutable, checkKeys, maxDataBytes, textBytes } from '../data-rules.js'

export function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors = checkKeys('data', data)
  for (const key of Object.keys(data))
    if (Object.hasOwn(binaryData, key))
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
  addAll(errors, checkKeys('binaryData', binaryData))
  // The limit is on both maps together, so the error is about the object, not about a field.
  if (textBytes(data) + binaryBytes(binaryData) > maxDataBytes) errors.push(tooLong('[]', maxDataBytes))
  return errors
}

export const validateConfigMapUpdate = (sent: ConfigMap, stored: ConfigMap): FieldError[] => [
  ...checkImmutable(sent, stored, ['data', 'binaryData']),
  ...validateConfigMap(sent),
]
