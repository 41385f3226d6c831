import { defineAdmission, reject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'

/** Forbids Pods to set users, groups or SELinux labels. For clusters without finer-grained rules. */
export const securityContextDeny = defineAdmission<Pod>()({
  name: 'SecurityContextDeny',
  until: '1.29',
  stage: 'defaults',
  phase: 'validate',
  sideEffects: 'none',
  enabledByDefault: false,
  matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
  review({ object: { spec } }) {
    const ofPod = (['supplementalGroups', 'seLinuxOptions', 'runAsUser', 'fsGroup'] as const).find(
      field => spec.securityContext?.[field] !== undefined,
    )
    if (ofPod) return reject(`spec.securityContext.${ofPod} is forbidden`)
    for (const { name, securityContext } of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
      const found = (['seLinuxOptions', 'runAsUser'] as const).find(field => securityContext?.[field] !== undefined)
      if (found) return reject(`securityContext.${found} of container "${name}" is forbidden`)
    }
  },
})
