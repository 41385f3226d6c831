import type { Vendor } from '../../plugin/vendor.js'
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../resource/field-errors.js'
import type { LabelSelector } from '../../resource/meta.js'
import { isDns1123Label, isQualifiedName } from '../../validation/object-names.js'
import { validateLabelSelector } from '../../validation/selectors.js'
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm, TopologySpreadConstraint } from '../affinity.js'
import type { PodSpec } from '../pod-spec.js'
import { validateNodeSelector, validateNodeSelectorTerm } from '../validation/node-selector-rules.js'
import { checksNodeSelectorValues, checksSelectorValues, spreadSelectorMerge, spreadSelectors } from './differences.js'

/** A label of nodes by which they are grouped. */
const checkTopologyKey = (key: string, field: string): FieldError[] => [
  ...(key === '' ? [requiredValue(field, 'can not be empty')] : []),
  ...isQualifiedName(key).map(text => invalidValue(field, key, text)),
]

/** Whether values in selectors must be valid label values. */
interface ValueRules {
  readonly checksValues: boolean
}

function validateNodeAffinity(affinity: NodeAffinity, field: string, rules: ValueRules): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity
  return [
    ...(required
      ? validateNodeSelector(required, `${field}.requiredDuringSchedulingIgnoredDuringExecution`, rules)
      : []),
    ...(preferred ?? []).flatMap(({ preference }, i) => {
      const at = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`
      return [...validateNodeSelectorTerm(preference, `${at}.preference`)]
    }),
  ]
}

/** Keys whose labels are added to the selector. */
function checkLabelKeys(
  keys: readonly string[] = [],
  selector: LabelSelector | undefined,
  field: string,
): FieldError[] {
  if (keys.length === 0) return []
  return selector === undefined
    ? [forbiddenField(field, 'must not be specified when labelSelector is not set')]
    : checkKeys(keys, field)
}

const checkKeys = (keys: readonly string[], field: string): FieldError[] =>
  keys.flatMap((key, i) => isQualifiedName(key).map(text => invalidValue(`${field}[${i}]`, key, text)))

/** A key that occurs twice in the selector was sent by the client, not merged. */
function checkMergedKeys(
  {
    matchLabelKeys = [],
    mismatchLabelKeys = [],
    labelSelector,
  }: Pick<PodAffinityTerm, 'matchLabelKeys' | 'mismatchLabelKeys' | 'labelSelector'>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = []
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}))
  // Both lists may be long, so they are not searched for each key.
  const lastIndexOf = new Map(matchLabelKeys.map((key, i) => [key, i]))
  const mismatched = new Set(mismatchLabelKeys)
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const i = lastIndexOf.get(key)
    if (i !== undefined && selected.has(key))
      errors.push(invalidValue(`${field}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector'))
    selected.add(key)
  }
  for (const [i, key] of matchLabelKeys.entries())
    if (mismatched.has(key))
      errors.push(
        invalidValue(`${field}.matchLabelKeys[${i}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'),
      )
  return errors
}

const validatePodAffinityTerm = (term: PodAffinityTerm, field: string, rules: ValueRules): FieldError[] => [
  ...validateLabelSelector(term.labelSelector, `${field}.labelSelector`, rules),
  ...validateLabelSelector(term.namespaceSelector, `${field}.namespaceSelector`, rules),
  ...(term.namespaces ?? []).flatMap(name =>
    isDns1123Label(name).map(text => invalidValue(`${field}.namespace`, name, text)),
  ),
  ...checkLabelKeys(term.matchLabelKeys, term.labelSelector, `${field}.matchLabelKeys`),
  ...checkLabelKeys(term.mismatchLabelKeys, term.labelSelector, `${field}.mismatchLabelKeys`),
  ...checkMergedKeys(term, field),
  ...checkTopologyKey(term.topologyKey, `${field}.topologyKey`),
]

/** Affinity and anti-affinity between Pods have the same shape. */
function validatePodAffinity(affinity: PodAffinity, field: string, rules: ValueRules): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity
  return [
    ...(required ?? []).flatMap((term, i) =>
      validatePodAffinityTerm(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution[${i}]`, rules),
    ),
    ...(preferred ?? []).flatMap(({ podAffinityTerm }, i) => {
      const at = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`
      return [...validatePodAffinityTerm(podAffinityTerm, `${at}.podAffinityTerm`, rules)]
    }),
  ]
}

/** Selectors of Pods and of their namespaces. */
const selectorsOf = ({ podAffinity, podAntiAffinity }: Affinity): (LabelSelector | undefined)[] =>
  [podAffinity, podAntiAffinity]
    .flatMap(rules => [
      ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ])
    .flatMap(({ labelSelector, namespaceSelector }) => [labelSelector, namespaceSelector])

/** All affinity rules, if there are any. `stored` are those that the object already has. */
export function validateAffinity(
  affinity: Affinity | undefined,
  field: string,
  { level }: Vendor,
  stored: Affinity = {},
): FieldError[] {
  const storedNodes = stored.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const nodeRules = { checksValues: checksNodeSelectorValues(level, storedNodes) }
  const podRules = { checksValues: checksSelectorValues(level, ...selectorsOf(stored)) }
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {}
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, `${field}.nodeAffinity`, nodeRules) : []),
    ...(podAffinity ? validatePodAffinity(podAffinity, `${field}.podAffinity`, podRules) : []),
    ...(podAntiAffinity ? validatePodAffinity(podAntiAffinity, `${field}.podAntiAffinity`, podRules) : []),
  ]
}

const spreadSelectorErrors = ({ labelSelector }: TopologySpreadConstraint, field: string): FieldError[] =>
  validateLabelSelector(labelSelector, `${field}.labelSelector`, { checksValues: true })

/** Topology spread constraints: each pair of topology key and reaction may occur once. Invalid selectors are accepted if one is stored. */
export function validateTopologySpread(
  { topologySpreadConstraints: constraints = [] }: PodSpec,
  field: string,
  vendor: Vendor,
  { topologySpreadConstraints: stored = [] }: Partial<PodSpec> = {},
) {
  const checksSelectors =
    vendor.level.has(spreadSelectors) && !stored.some(each => spreadSelectorErrors(each, '').length > 0)
  const pair = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint) =>
    `{${topologyKey}, ${whenUnsatisfiable}}`
  const lastOf = new Map(constraints.map((constraint, i) => [pair(constraint), i]))
  return constraints.flatMap((constraint, i): FieldError[] => {
    const at = `${field}[${i}]`
    const repeats = lastOf.get(pair(constraint)) !== i
    return [
      ...(constraint.topologyKey === '' ? [requiredValue(`${at}.topologyKey`, 'can not be empty')] : []),
      ...(repeats ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair(constraint))] : []),
      ...checkMinDomains(constraint, `${at}.minDomains`),
      ...inclusion(constraint.nodeAffinityPolicy, `${at}.nodeAffinityPolicy`),
      ...inclusion(constraint.nodeTaintsPolicy, `${at}.nodeTaintsPolicy`),
      ...checkLabelKeys(constraint.matchLabelKeys, constraint.labelSelector, `${at}.matchLabelKeys`),
      ...(vendor.level.has(spreadSelectorMerge)
        ? checkMergedKeys(constraint, at)
        : checkSelectedKeys(constraint, `${at}.matchLabelKeys`)),
      ...(checksSelectors ? spreadSelectorErrors(constraint, at) : []),
    ]
  })
}

/** Before keys were merged, the selector must not contain them, and they are checked even if there is none. */
function checkSelectedKeys({ matchLabelKeys = [], labelSelector }: TopologySpreadConstraint, field: string) {
  if (labelSelector === undefined) return checkKeys(matchLabelKeys, field)
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ])
  return matchLabelKeys.flatMap((key, i) =>
    selected.has(key) ? [invalidValue(`${field}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector')] : [],
  )
}

function checkMinDomains({ minDomains, whenUnsatisfiable }: TopologySpreadConstraint, field: string): FieldError[] {
  if (minDomains === undefined) return []
  return [
    ...(minDomains <= 0 ? [invalidValue(field, minDomains, 'must be greater than zero')] : []),
    ...(whenUnsatisfiable === 'DoNotSchedule'
      ? []
      : [
          invalidValue(
            field,
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
          ),
        ]),
  ]
}

const inclusions = ['Honor', 'Ignore']
const inclusion = (policy: string | undefined, field: string): FieldError[] =>
  policy === undefined || inclusions.includes(policy) ? [] : [notSupported(field, policy, inclusions)]
