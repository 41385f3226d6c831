import { type FieldError, invalidValue, tooLong } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import { checkData, checkImmutable, maxDataBytes } from '../data-rules.js'
import type { TypeRules } from './type-rules.js'

export function validateSecret(secret: Secret, rules: TypeRules): FieldError[] {
  const errors: FieldError[] = []
  if (checkData('data', secret.data, 'base64', errors) > maxDataBytes) errors.push(tooLong('data', maxDataBytes))
  return [...errors, ...(rules.get(secret.type ?? '')?.(secret) ?? [])]
}

export const validateSecretUpdate = (sent: Secret, stored: Secret, rules: TypeRules): FieldError[] => [
  ...(sent.type === stored.type ? [] : [invalidValue('type', sent.type, 'field is immutable')]),
  ...checkImmutable(sent, stored, ['data']),
  ...validateSecret(sent, rules),
]
