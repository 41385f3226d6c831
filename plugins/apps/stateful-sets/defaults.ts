import { defaultPodSpec, roundResourceList } from 'orch/sdk/core'
import type { StatefulSet } from './schema.js'

export function fillStatefulSet({ spec }: StatefulSet): void {
  if (!spec) return
  if (spec.template?.spec) defaultPodSpec(spec.template.spec)
  for (const claim of spec.volumeClaimTemplates ?? []) {
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' })
    roundResourceList(claim.spec?.resources?.limits)
    roundResourceList(claim.spec?.resources?.requests)
  }
  spec.updateStrategy ??= {}
  const { updateStrategy } = spec
  if (!updateStrategy.type) {
    updateStrategy.type = 'RollingUpdate'
    updateStrategy.rollingUpdate ??= {}
  }
  if (updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate)
    updateStrategy.rollingUpdate.partition ??= 0
}
