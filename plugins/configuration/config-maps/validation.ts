import { addAll, type FieldError, invalidValue, tooLong } from 'orch/sdk'
import type { ConfigMap } from 'orch/sdk/core'
import { checkImmutable, checkKeys, dataBytes, maxDataBytes } from '../data-rules.js'

export function validateConfigMap({ data = {}, binaryData }: ConfigMap): FieldError[] {
  const errors = checkKeys('data', data)
  for (const key of binaryData ? Object.keys(data) : [])
    if (Object.hasOwn(binaryData!, key))
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
  addAll(errors, checkKeys('binaryData', binaryData))
  // The limit is on both maps together, so the error is about the object, not about a field.
  if (dataBytes(data) + dataBytes(binaryData, 'base64') > maxDataBytes) errors.push(tooLong('[]', maxDataBytes))
  return errors
}

export const validateConfigMapUpdate = (sent: ConfigMap, stored: ConfigMap): FieldError[] => [
  ...checkImmutable(sent, stored, ['data', 'binaryData']),
  ...validateConfigMap(sent),
]
