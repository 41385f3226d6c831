import { type FieldError, forbiddenField, invalidValue, notSupported, requiredValue, type Vendor } from 'orch/sdk'
import { priorityPath } from '../differences.js'
import type { PriorityClass } from './schema.js'
import { systemClasses } from './system-classes.js'

const reservedPrefix = 'system-'
/** Higher values are reserved for the system. */
const maxUserPriority = 1_000_000_000
const preemptionPolicies = ['Never', 'PreemptLowerPriority'] as const

export const validatePriorityClass = (priorityClass: PriorityClass): FieldError[] => [
  ...checkReserved(priorityClass),
  ...checkPreemption(priorityClass.preemptionPolicy),
]

function checkReserved({ metadata, value, globalDefault = false }: PriorityClass): FieldError[] {
  const name = metadata?.name ?? ''
  if (!name.startsWith(reservedPrefix))
    return value > maxUserPriority
      ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${maxUserPriority}`)]
      : []
  const known = systemClasses.find(systemClass => systemClass.name === name)
  const why = (detail: string) => [
    forbiddenField(
      'metadata.name',
      `priority class names with '${reservedPrefix}' prefix are reserved for system use only. error: ${detail}`,
    ),
  ]
  if (known === undefined) return why(`${name} is not a known system priority class`)
  if (known.value !== value) return why(`value of ${name} PriorityClass must be ${known.value}`)
  return globalDefault ? why(`globalDefault of ${name} PriorityClass must be false`) : []
}

function checkPreemption(policy: string | undefined): FieldError[] {
  if (policy === undefined) return []
  if (policy === '') return [requiredValue('preemptionPolicy')]
  return preemptionPolicies.some(known => known === policy)
    ? []
    : [notSupported('preemptionPolicy', policy, preemptionPolicies)]
}

/** Immutable, because Pods have a copy of the value. */
export function validatePriorityClassUpdate(
  sent: PriorityClass,
  stored: PriorityClass,
  { level }: Pick<Vendor, 'level'>,
): FieldError[] {
  const errors: FieldError[] = []
  // Older versions of the reference capitalize this path, and clients compare paths.
  const path = level.has(priorityPath) ? 'value' : 'Value'
  if (sent.value !== stored.value) errors.push(forbiddenField(path, 'may not be changed in an update.'))
  if (sent.preemptionPolicy !== stored.preemptionPolicy)
    errors.push(invalidValue('preemptionPolicy', sent.preemptionPolicy, 'field is immutable'))
  return errors
}
