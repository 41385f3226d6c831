import { allAuthenticated, allUnauthenticated, mastersGroup } from 'orch/sdk'
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
export const mandatoryLevels: Readonly<Record<string, PriorityLevelSpec>> = {
  [exempt]: { type: 'Exempt' },
  [catchAll]: { type: 'Limited', limited: { assuredConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
}
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
