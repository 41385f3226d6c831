import { type FieldError, invalidValue, tooLong } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import { checkImmutable, checkKeys, dataBytes, maxDataBytes } from '../data-rules.js'
import type { TypeRules } from './type-rules.js'

export const validateSecret = (secret: Secret, rules: TypeRules): FieldError[] => [
  ...checkKeys('data', secret.data),
  ...(dataBytes(secret.data, 'base64') > maxDataBytes ? [tooLong('data', maxDataBytes)] : []),
  ...(rules.get(secret.type ?? '')?.(secret) ?? []),
]

export const validateSecretUpdate = (sent: Secret, stored: Secret, rules: TypeRules): FieldError[] => [
  ...(sent.type === stored.type ? [] : [invalidValue('type', sent.type, 'field is immutable')]),
  ...checkImmutable(sent, stored, ['data']),
  ...validateSecret(sent, rules),
]
