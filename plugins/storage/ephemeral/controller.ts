import type { ApiObject } from 'orch/sdk'
import { controllerReference, createEventRecorder, defineControlLoop, ownerKeys, splitKey } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { podCollection, type StorageNames } from '../names.js'
import { claimCollection, type PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { ephemeralClaimName, isOwnedBy } from '../pod-claims.js'

/**
 * The missing claims of a Pod's ephemeral volumes, named `<pod>-<volume>`, as their templates describe them. Throws
 * if a claim of that name does not belong to the Pod: using it would expose data of others.
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

const name = 'ephemeral-volume'

/** Creates the claims of ephemeral volumes. Their Pod owns them, so they are deleted with it. */
export const ephemeralVolumes = ({ recordEvents }: StorageNames) =>
  defineControlLoop({
    name,
    account: 'ephemeral-volume-controller',
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['update'], apiGroups: [''], resources: ['pods/finalizers'] },
      { verbs: ['create', 'get', 'list', 'watch'], apiGroups: [''], resources: ['persistentvolumeclaims'] },
      recordEvents,
    ],
    setUp(runtime) {
      const claims = runtime.client.resource<PersistentVolumeClaim>(claimCollection)
      const events = createEventRecorder({ ...runtime, component: 'ephemeral_volume' })
      return {
        sources: [
          {
            resource: podCollection,
            keys: ({ metadata, spec }: Pod) =>
              (spec.volumes ?? []).some(({ ephemeral }) => ephemeral)
                ? [`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`]
                : [],
          },
          { resource: claimCollection, keys: ownerKeys('Pod', { group: '', controllerOnly: true }) },
        ],
        async reconcile(key, caches) {
          const { namespace, name: podName } = splitKey(key)
          const pod = caches.of<Pod>(podCollection).get(namespace, podName)
          if (!pod || pod.metadata?.deletionTimestamp) return
          const known = (claim: string) => caches.of<PersistentVolumeClaim>(claimCollection).get(namespace, claim)
          try {
            for (const claim of missingClaims(pod, known)) await claims.create(claim)
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error)
            await events.record(pod, 'Warning', 'FailedBinding', `ephemeral volume: ${why}`)
            throw error
          }
        },
      }
    },
  })
