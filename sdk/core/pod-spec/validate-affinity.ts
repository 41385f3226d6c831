import { duplicate, type FieldError, invalidValue, requiredValue } from '../../field-errors.js'
import { isDns1123Label, isQualifiedName } from '../../object-names.js'
import { validateLabelSelector } from '../../selectors.js'
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm, TopologySpreadConstraint } from '../affinity.js'
import { validateNodeSelector, validateNodeSelectorTerm } from '../validation/node-selector-rules.js'

/** A label of nodes by which they are grouped. */
const checkTopologyKey = (key: string, field: string): FieldError[] => [
  ...(key === '' ? [requiredValue(field, 'can not be empty')] : []),
  ...isQualifiedName(key).map(text => invalidValue(field, key, text)),
]

function validateNodeAffinity(affinity: NodeAffinity, field: string): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: must,
    preferredDuringSchedulingIgnoredDuringExecution: likes,
  } = affinity
  return [
    ...(must ? validateNodeSelector(must, `${field}.requiredDuringSchedulingIgnoredDuringExecution`) : []),
    ...(likes ?? []).flatMap(({ preference }, i) => {
      const at = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`
      return [...validateNodeSelectorTerm(preference, `${at}.preference`)]
    }),
  ]
}

const validatePodAffinityTerm = (term: PodAffinityTerm, field: string): FieldError[] => [
  ...validateLabelSelector(term.labelSelector, `${field}.labelSelector`),
  ...validateLabelSelector(term.namespaceSelector, `${field}.namespaceSelector`),
  ...(term.namespaces ?? []).flatMap(name =>
    isDns1123Label(name).map(text => invalidValue(`${field}.namespace`, name, text)),
  ),
  ...checkTopologyKey(term.topologyKey, `${field}.topologyKey`),
]

/** Affinity and anti-affinity between Pods have the same shape. */
function validatePodAffinity(affinity: PodAffinity, field: string): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: must,
    preferredDuringSchedulingIgnoredDuringExecution: likes,
  } = affinity
  return [
    ...(must ?? []).flatMap((term, i) =>
      validatePodAffinityTerm(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution[${i}]`),
    ),
    ...(likes ?? []).flatMap(({ podAffinityTerm }, i) => {
      const at = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`
      return [...validatePodAffinityTerm(podAffinityTerm, `${at}.podAffinityTerm`)]
    }),
  ]
}

/** All affinity rules, if there are any. */
export const validateAffinity = (affinity: Affinity | undefined, field: string): FieldError[] => [
  ...(affinity?.nodeAffinity ? validateNodeAffinity(affinity.nodeAffinity, `${field}.nodeAffinity`) : []),
  ...(affinity?.podAffinity ? validatePodAffinity(affinity.podAffinity, `${field}.podAffinity`) : []),
  ...(affinity?.podAntiAffinity ? validatePodAffinity(affinity.podAntiAffinity, `${field}.podAntiAffinity`) : []),
]

/** How Pods spread; a pair of key and reaction may appear once. */
export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[] = [], field: string) {
  const pair = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint) =>
    `{${topologyKey}, ${whenUnsatisfiable}}`
  const lastOf = new Map(constraints.map((constraint, i) => [pair(constraint), i]))
  return constraints.flatMap((constraint, i): FieldError[] => {
    const at = `${field}[${i}]`
    const repeats = lastOf.get(pair(constraint)) !== i
    return [
      ...(constraint.topologyKey === '' ? [requiredValue(`${at}.topologyKey`, 'can not be empty')] : []),
      ...(repeats ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair(constraint))] : []),
    ]
  })
}
