import { type FieldError, invalidValue, tooLong } from 'orch/sdk'
import type { ConfigMap } from 'orch/sdk/core'
import { checkData, checkImmutable, maxDataBytes } from '../data-rules.js'

export function validateConfigMap({ data = {}, binaryData }: ConfigMap): FieldError[] {
  const errors: FieldError[] = []
  const textBytes = checkData('data', data, 'utf8', errors)
  for (const key of binaryData ? Object.keys(data) : [])
    if (Object.hasOwn(binaryData!, key))
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
  const bytes = textBytes + checkData('binaryData', binaryData, 'base64', errors)
  // The limit is on both maps together, so the error is about the object, not about a field.
  if (bytes > maxDataBytes) errors.push(tooLong('[]', maxDataBytes))
  return errors
}

export const validateConfigMapUpdate = (sent: ConfigMap, stored: ConfigMap): FieldError[] => [
  ...checkImmutable(sent, stored, ['data', 'binaryData']),
  ...validateConfigMap(sent),
]
