import type { ApiObject } from 'orch/sdk'
import { controllerReference } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { ephemeralClaimName, isOwnedBy } from '../pod-claims.js'

/**
 * The claims that a Pod's ephemeral volumes still need, `<pod>-<volume>` each, as their templates describe them. Throws when
 * somebody else has a claim of that name: using it would give the Pod data that is not its own.
 */
export function missingClaims(
  pod: Pod,
  find: (name: string) => PersistentVolumeClaim | undefined,
): PersistentVolumeClaim[] {
  const { name: podName = '', namespace = '' } = pod.metadata ?? {}
  return (pod.spec.volumes ?? []).flatMap(({ name: volumeName, ephemeral }) => {
    const template = ephemeral?.volumeClaimTemplate
    if (!template) return []
    const name = ephemeralClaimName(podName, volumeName)
    const found = find(name)
    if (found && !isOwnedBy(found as ApiObject, pod))
      throw new Error(`PVC ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`)
    if (found) return []
    const { labels, annotations } = template.metadata ?? {}
    return [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name,
          namespace,
          ownerReferences: [controllerReference({ apiVersion: 'v1', kind: 'Pod', ...pod } as ApiObject)],
          ...(labels ? { labels } : {}),
          ...(annotations ? { annotations } : {}),
        },
        spec: template.spec,
      },
    ]
  })
}
