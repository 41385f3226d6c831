import { type FieldError, invalidValue } from 'orch/sdk'
import type { TokenRequest } from './schema.js'

const shortestSeconds = 600
const longestSeconds = 2 ** 32

export function validateTokenRequest({ spec }: TokenRequest): FieldError[] {
  const { expirationSeconds = 0 } = spec
  const field = 'spec.expirationSeconds'
  if (expirationSeconds < shortestSeconds)
    return [invalidValue(field, expirationSeconds, 'may not specify a duration less than 10 minutes')]
  if (expirationSeconds > longestSeconds)
    return [invalidValue(field, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
  return []
}
