import { defineAdmission } from 'orch/sdk'
import type { Container, Pod, Toleration } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'

/** Nodes with special devices are tainted with the name of the device; Pods that request one tolerate it. */
export const extendedResourceToleration = ({ isExtendedResource }: NodeNames) =>
  defineAdmission<Pod>()({
    name: 'ExtendedResourceToleration',
    after: ['PodTolerationRestriction', 'EventRateLimit'],
    phase: 'mutate',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
    review({ object: { spec } }) {
      const requested = (containers: readonly Container[] | undefined) =>
        (containers ?? []).flatMap(({ resources }) => Object.keys(resources?.requests ?? {}).filter(isExtendedResource))
      const names = new Set([...requested(spec.containers), ...requested(spec.initContainers)])
      if (names.size > 0) spec.tolerations = withTolerations(spec.tolerations ?? [], names)
    },
  })

const operator = 'Exists'
const effect = 'NoSchedule'

function withTolerations(given: readonly Toleration[], keys: ReadonlySet<string>): Toleration[] {
  const missing = new Set(keys)
  const kept = given.map(one => {
    const { key = '', value = '' } = one
    const isSame = keys.has(key) && one.operator === operator && one.effect === effect && value === ''
    if (isSame) missing.delete(key)
    // An equal toleration with a time limit becomes permanent.
    return isSame ? { key, operator, effect } : one
  })
  return [...kept, ...[...missing].sort().map(key => ({ key, operator, effect }))]
}
