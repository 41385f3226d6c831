import type { ServedLevel } from 'orch/sdk'
import { allAuthenticated, allUnauthenticated, mastersGroup } from 'orch/sdk/identity'
import { borrowing, exemptShares } from '../differences.js'
import type { FlowSchemaSpec, Rule } from '../flow-schemas/schema.js'
import { catchAll, exempt } from '../names.js'
import type { PriorityLevelSpec } from '../priority-levels/schema.js'

export const group = (name: string) => ({ kind: 'Group', group: { name } })
export const everyone = [group(allUnauthenticated), group(allAuthenticated)]

/** Every request that the subjects can make. */
export const everything = (subjects: Rule['subjects']): Rule => ({
  subjects,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
})

/** Mandatory objects: nobody can be locked out, and every request matches a schema. */
export const mandatoryLevels = (level: ServedLevel): Readonly<Record<string, PriorityLevelSpec>> => ({
  [exempt]: {
    type: 'Exempt',
    ...(level.has(exemptShares) ? { exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } } : {}),
  },
  [catchAll]: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, ...lending(0, level) },
  },
})
/** The percentage that other levels may borrow, in versions with borrowing. */
export const lending = (lendablePercent: number, level: ServedLevel) =>
  level.has(borrowing) ? { lendablePercent } : {}
export const mandatorySchemas: Readonly<Record<string, FlowSchemaSpec>> = {
  [exempt]: {
    priorityLevelConfiguration: { name: exempt },
    matchingPrecedence: 1,
    rules: [everything([group(mastersGroup)])],
  },
  [catchAll]: {
    priorityLevelConfiguration: { name: catchAll },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [everything(everyone)],
  },
}
