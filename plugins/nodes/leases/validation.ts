import { type FieldError, invalidValue } from 'orch/sdk'
import type { Lease } from './schema.js'

export function validateLease({ spec = {} }: Lease): FieldError[] {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec
  const errors: FieldError[] = []
  if (duration !== undefined && duration <= 0)
    errors.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'))
  if (transitions !== undefined && transitions < 0)
    errors.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'))
  return errors
}
