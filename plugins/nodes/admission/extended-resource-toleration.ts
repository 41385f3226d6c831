import { type Container, defineAdmission, type Pod, type PodSpec, type Toleration } from 'orch/sdk'
import type { NodeNames } from '../names.js'

/** Nodes with special devices are tainted with the name of the device; Pods that ask for one tolerate it. */
export const extendedResourceToleration = ({ isExtendedResource }: NodeNames) =>
  defineAdmission<Pod>()({
    name: 'ExtendedResourceToleration',
    phase: 'mutate',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
    review({ object: { spec } }) {
      const asked = (containers: readonly Container[] | undefined) =>
        (containers ?? []).flatMap(({ resources }) => Object.keys(resources?.requests ?? {}).filter(isExtendedResource))
      const names = new Set([...asked(spec.containers), ...asked(spec.initContainers)])
      for (const key of [...names].sort()) tolerate(spec, { key, operator: 'Exists', effect: 'NoSchedule' })
    },
  })

function tolerate(spec: PodSpec, wanted: Toleration): void {
  const given = spec.tolerations ?? []
  const isSame = ({ key, operator, effect, value = '' }: Toleration) =>
    key === wanted.key && operator === wanted.operator && effect === wanted.effect && value === ''
  // One that says the same for a time only becomes one for ever.
  spec.tolerations = given.some(isSame) ? given.map(one => (isSame(one) ? wanted : one)) : [...given, wanted]
}
