import {
  ageColumn,
  type Column,
  defineResource,
  type LabelSelector,
  nameColumn,
  type ServedLevel,
  type Strategy,
  strategyForStatus,
} from 'orch/sdk'
import { checksSelectorValues } from 'orch/sdk/core'
import { warningsAboutCidr } from 'orch/sdk/validation'
import { addressesAreStrict, policiesAreCheckedOnce, policyExceptionsAreAllChecked } from '../differences.js'
import type { NetworkingNames } from '../names.js'
import { NetworkPolicy } from './schema.js'
import { blocksOf, type PolicyRules, rangesOf, validatePolicy, validatePolicyUpdate } from './validation.js'

type Expression = NonNullable<LabelSelector['matchExpressions']>[number]
function expressionText({ key, operator, values = [] }: Expression): string {
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  const list = `(${[...values].sort().join(',')})`
  if (operator === 'In') return `${key} in ${list}`
  // An invalid stored operator must not break a list.
  return operator === 'NotIn' ? `${key} notin ${list}` : '<error>'
}

/** A selector as text, sorted by key: labels with `=`, expressions with their operators. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const parts = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...matchExpressions.map(expression => ({ key: expression.key, text: expressionText(expression) })),
  ]
  const byKey = (left: { key: string }, right: { key: string }) =>
    left.key < right.key ? -1 : left.key > right.key ? 1 : 0
  return (
    parts
      .sort(byKey)
      .map(({ text }) => text)
      .join(',') || '<none>'
  )
}

export const columns: readonly Column<NetworkPolicy>[] = [
  nameColumn as Column<NetworkPolicy>,
  {
    name: 'Pod-Selector',
    type: 'string',
    description: 'Labels of the Pods that it applies to.',
    cell: ({ spec }) => selectorText(spec?.podSelector),
  },
  ageColumn as Column<NetworkPolicy>,
]

/** By default a policy applies to ingress, and to egress if it has egress rules. */
export function fillPolicy({ spec }: NetworkPolicy): void {
  if (spec === undefined || (spec.policyTypes ?? []).length > 0) return
  spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
}

/** Warnings about ranges that are valid and should be written another way. */
const rangeWarnings = (policy: NetworkPolicy): string[] =>
  blocksOf(policy).flatMap(({ at, block: { cidr, except = [] } }) => [
    ...warningsAboutCidr(`${at}.cidr`, cidr),
    ...except.flatMap((range, i) => warningsAboutCidr(`${at}.except[${i}]`, range)),
  ])

export const mainStrategy = (areStrict: boolean) => {
  const rulesOf = (level: ServedLevel, stored?: NetworkPolicy): PolicyRules => ({
    areStrict,
    checksAllExceptions: level.has(policyExceptionsAreAllChecked),
    checksValues: checksSelectorValues(level, stored?.spec?.podSelector),
    ...(stored && { known: rangesOf(stored) }),
  })
  return {
    // A stored status stays; where there is none, a sent one is stored.
    prepareForUpdate(draft, stored) {
      if ((stored.status?.conditions ?? []).length > 0) draft.status = stored.status
    },
    resetFields: ['status'],
    validate: (sent, { vendor: { level } }) => validatePolicy(sent, rulesOf(level)),
    validateUpdate: (sent, stored, { vendor: { level } }) =>
      validatePolicyUpdate(sent, level.has(policiesAreCheckedOnce), rulesOf(level, stored)),
    warnings: (sent, _stored, { vendor: { level } }) => (level.has(addressesAreStrict) ? rangeWarnings(sent) : []),
    metadataChecks: level => ({ change: 1, object: level.has(policiesAreCheckedOnce) ? 0 : 1 }),
  } satisfies Strategy<NetworkPolicy>
}

/** The status was an experiment: new conditions are ignored, and stored ones can be cleared. */
const statusStrategy = strategyForStatus<NetworkPolicy>({
  metadataChecks: { change: 0, object: 0 },
  prepareForUpdate(draft, stored) {
    if ((draft.status?.conditions ?? []).length > 0 && stored.status) draft.status = stored.status
  },
})

/** `areStrict`: ranges must be canonical. */
export const networkPolicies = ({ group, formerGroup }: NetworkingNames, areStrict = false) =>
  defineResource({
    group,
    ...formerGroup,
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    shortNames: ['netpol'],
    namespaced: true,
    versions: [{ name: 'v1', schema: NetworkPolicy, defaults: fillPolicy }],
    strategy: mainStrategy(areStrict),
    subresources: { status: { kind: 'update', strategy: statusStrategy, since: '1.24', until: '1.27' } },
    columns,
  })
