import { defineAdmission } from 'orch/sdk'
import type { Container, Pod, Toleration } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'

/** Nodes with special devices are tainted with the name of the device; Pods that ask for one tolerate it. */
export const extendedResourceToleration = ({ isExtendedResource }: NodeNames) =>
  defineAdmission<Pod>()({
    name: 'ExtendedResourceToleration',
    after: ['PodTolerationRestriction', 'EventRateLimit'],
    phase: 'mutate',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
    review({ object: { spec } }) {
      const asked = (containers: readonly Container[] | undefined) =>
        (containers ?? []).flatMap(({ resources }) => Object.keys(resources?.requests ?? {}).filter(isExtendedResource))
      const names = new Set([...asked(spec.containers), ...asked(spec.initContainers)])
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
    // One that says the same for a time only becomes one for ever.
    return isSame ? { key, operator, effect } : one
  })
  return [...kept, ...[...missing].sort().map(key => ({ key, operator, effect }))]
}
