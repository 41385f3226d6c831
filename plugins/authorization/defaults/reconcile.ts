import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, LabelSelector } from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import { uncoveredRules } from '../rules/rule-coverage.js'
import type { PolicyRule, RoleRef, Subject } from '../rules/schema.js'
import type { DefaultBinding, DefaultRole } from './default-role.js'

export type StoredRole = ApiObject & {
  rules?: PolicyRule[] | null
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] }
}
export type StoredBinding = ApiObject & { roleRef: RoleRef; subjects?: Subject[] | null }

/** The object that a default role is created as. */
export function newRole({ name, rules, labels, collects }: DefaultRole, names: AuthorizationNames): StoredRole {
  return {
    metadata: { name, ...marks(names, labels) },
    rules: rules.length === 0 ? null : rules,
    ...(collects === undefined
      ? {}
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { ...collects } }] } }),
  }
}

/** The object that a default binding is created as. */
export const newBinding = ({ name, roleRef, subjects }: DefaultBinding, names: AuthorizationNames): StoredBinding => ({
  metadata: { name, ...marks(names) },
  roleRef: { ...roleRef },
  ...(subjects.length === 0 ? {} : { subjects }),
})

const marks = (names: AuthorizationNames, labels: Readonly<Record<string, string>> = {}) => ({
  labels: { [names.bootstrappingLabel]: 'rbac-defaults', ...labels },
  annotations: { [names.autoUpdateAnnotation]: 'true' },
})

/** Setting the annotation to "false" turns reconciliation of the object off. */
const isProtected = (stored: ApiObject, names: AuthorizationNames): boolean =>
  stored.metadata.annotations?.[names.autoUpdateAnnotation] === 'false'

/** The stored role with its missing parts added, or undefined when none are missing. Additions by others are kept. */
export function repairedRole(
  stored: StoredRole,
  wanted: DefaultRole,
  names: AuthorizationNames,
): StoredRole | undefined {
  if (isProtected(stored, names)) return undefined
  const fresh = newRole(wanted, names)
  const missingRules = missing(stored.rules ?? [], wanted.rules)
  const repaired: StoredRole = {
    ...stored,
    metadata: repairedMetadata(stored, fresh),
    ...(missingRules.length === 0 ? {} : { rules: [...(stored.rules ?? []), ...missingRules] }),
  }
  if (fresh.aggregationRule === undefined) delete repaired.aggregationRule
  else {
    const selectors = stored.aggregationRule?.clusterRoleSelectors ?? []
    const others = (fresh.aggregationRule.clusterRoleSelectors ?? []).filter(
      selector => !selectors.some(known => areSameFields(known, selector)),
    )
    if (others.length > 0) repaired.aggregationRule = { clusterRoleSelectors: [...selectors, ...others] }
  }
  return areSameFields(repaired, stored) ? undefined : repaired
}

/** An unmodified object also has its fields in the same order, so comparing the text is enough. */
const areSameFields = (one: object, other: object): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || isDeepStrictEqual(one, other)

/** Unmodified roles are recognised by comparing the text. */
const missing = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] =>
  areSameFields(held, wanted) ? [] : [...uncoveredRules(held, wanted)]

/**
 * The stored binding with its missing subjects added, or undefined when none are missing. `recreate`: it points to
 * another role, which cannot be changed.
 */
export function repairedBinding(
  stored: StoredBinding,
  wanted: DefaultBinding,
  names: AuthorizationNames,
): { binding: StoredBinding; recreate: boolean } | undefined {
  if (isProtected(stored, names)) return undefined
  const fresh = newBinding(wanted, names)
  if (!areSameFields(stored.roleRef, fresh.roleRef)) return { binding: fresh, recreate: true }
  const subjects = stored.subjects ?? []
  const missing = wanted.subjects.filter(subject => !subjects.some(known => areSameFields(known, subject)))
  const binding = {
    ...stored,
    metadata: repairedMetadata(stored, fresh),
    ...(missing.length === 0 ? {} : { subjects: [...subjects, ...missing] }),
  }
  return areSameFields(binding, stored) ? undefined : { binding, recreate: false }
}

const repairedMetadata = (stored: ApiObject, fresh: ApiObject) => ({
  ...stored.metadata,
  labels: { ...fresh.metadata.labels, ...stored.metadata.labels },
  annotations: { ...fresh.metadata.annotations, ...stored.metadata.annotations },
})
