import { type FieldError, invalidValue, requiredValue, strategyForSpec, strategyForStatus } from 'orch/sdk'
import type { Widget } from './schema.js'

/** A default that depends on another field. Other defaults are in the schema. */
export function fillSize({ spec }: Widget): void {
  spec.size ||= Math.max(1, spec.parts?.length ?? 0)
}

/** Returns all errors at once. Limits of single fields are in the schema. */
export function validateWidget({ spec }: Widget): FieldError[] {
  const { parts = [], size = 0 } = spec ?? {}
  const errors = parts.flatMap(({ name }, index) => (name === '' ? [requiredValue(`spec.parts[${index}].name`)] : []))
  if (size < parts.length) errors.push(invalidValue('spec.size', size, 'must not be less than the number of parts'))
  return errors
}

/** Clients write the spec here; the status belongs to the control loop. */
export const mainStrategy = strategyForSpec<Widget>({ validate: validateWidget, validateUpdate: validateWidget })
export const statusStrategy = strategyForStatus<Widget>()
