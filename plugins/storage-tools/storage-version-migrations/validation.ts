import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { isDns1035Label, isDns1123Subdomain, validateConditions } from 'orch/sdk/validation'
import type { StorageVersionMigration } from './schema.js'

export function validateMigration({ spec }: StorageVersionMigration): FieldError[] {
  const { group = '', resource = '' } = spec.resource ?? {}
  const wrong = (name: string, value: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [invalidValue(`spec.resource.${name}`, value, texts.join(','))]
  return [
    ...(resource === ''
      ? [requiredValue('spec.resource.resource', 'resource is required to be set')]
      : wrong('resource', resource, isDns1035Label(resource))),
    ...(group === '' ? [] : wrong('group', group, isDns1123Subdomain(group))),
  ]
}

export const validateMigrationUpdate = (
  sent: StorageVersionMigration,
  stored: StorageVersionMigration,
): FieldError[] => [
  ...validateMigration(sent),
  ...(isDeepStrictEqual(sent.spec, stored.spec) ? [] : [invalidValue('spec', sent.spec, 'field is immutable')]),
]

const is = ({ status }: StorageVersionMigration, type: string) =>
  status.conditions?.some(condition => condition.type === type && condition.status === 'True') ?? false

/** A migration ends once, one way or the other, and has one beginning. */
export function validateMigrationStatus(
  sent: StorageVersionMigration,
  stored: StorageVersionMigration,
  refusesZero: boolean,
): FieldError[] {
  const { conditions = [], resourceVersion = '' } = sent.status
  const before = stored.status.resourceVersion ?? ''
  const wrong = (detail: string) => invalidValue('status.conditions', conditions, detail)
  return [
    ...(resourceVersion === '' || /^(0|[1-9][0-9]*)$/.test(resourceVersion)
      ? []
      : [invalidValue('status.resourceVersion', resourceVersion, 'must be a non-negative integer')]),
    ...(resourceVersion === '0' && refusesZero
      ? [invalidValue('status.resourceVersion', resourceVersion, 'must be greater than 0')]
      : []),
    ...validateConditions(conditions, 'status.conditions'),
    ...(before !== '' && before !== resourceVersion
      ? [invalidValue('status.resourceVersion', resourceVersion, 'field is immutable')]
      : []),
    ...(is(sent, 'Succeeded') && is(sent, 'Failed')
      ? [wrong('Both success and failed conditions cannot be true at the same time')]
      : []),
    ...(is(stored, 'Succeeded') && !is(sent, 'Succeeded')
      ? [wrong('Success condition cannot be set to false once it is true')]
      : []),
    ...(is(stored, 'Failed') && !is(sent, 'Failed')
      ? [wrong('Failed condition cannot be set to false once it is true')]
      : []),
  ]
}
export const isMigrationOver = (migration: StorageVersionMigration) =>
  is(migration, 'Succeeded') || is(migration, 'Failed')
