import { defineControlLoop, isPodFinished, splitKey } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import type { PodGroup } from './schema.js'

const pods = { group: '', version: 'v1', resource: 'pods' } as const
const groupOf = ({ spec }: Pod): string | undefined => spec?.schedulingGroup?.podGroupName

/** A deleted PodGroup is kept until all its Pods have finished. */
export const podGroupProtectionLoop = ({ schedulingGroup, podGroupFinalizer }: NodeNames) => {
  const groups = { group: schedulingGroup, version: 'v1alpha2', resource: 'podgroups' }
  return defineControlLoop({
    name: 'podgroup-protection',
    since: '1.36',
    account: 'podgroup-protection-controller',
    rules: [
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: [schedulingGroup], resources: ['podgroups'] },
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
    ],
    sources: [
      { resource: groups },
      {
        resource: pods,
        keys: (pod: Pod, previous?: Pod) =>
          [pod, ...(previous ? [previous] : [])].flatMap(one => {
            const group = groupOf(one)
            return group ? [`${one.metadata?.namespace ?? ''}/${group}`] : []
          }),
      },
    ],
    async reconcile(key, caches, { client }) {
      const { namespace, name } = splitKey(key)
      const group = caches.of<PodGroup>(groups).get(namespace, name)
      const finalizers = group?.metadata?.finalizers ?? []
      if (!group?.metadata?.deletionTimestamp || !finalizers.includes(podGroupFinalizer)) return
      const isUsed = caches
        .of<Pod>(pods)
        .list(namespace)
        .some(pod => groupOf(pod) === name && !isPodFinished(pod))
      if (isUsed) return
      const left = finalizers.filter(finalizer => finalizer !== podGroupFinalizer)
      await client
        .resource<PodGroup>(groups)
        .in(namespace)
        .update({ ...group, metadata: { ...group.metadata, finalizers: left } })
    },
  })
}
