import type { ApiObject, Vendor } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop, isPodFinished, type LoopCaches } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { evictedPodsAreMarked, outOfServiceNodes } from '../differences.js'
import type { DisruptionOptions } from '../options.js'
import { setPodCondition } from '../pod-condition.js'
import { type GarbageNode, isOutOfService, oldestFinished } from './garbage.js'

type StoredPod = ApiObject & Pod
const pods = { group: '', version: 'v1', resource: 'pods' }
const nodes = { group: '', version: 'v1', resource: 'nodes' }
/** All Pods are checked together, at most this often. */
const sweepEveryMs = 20_000
/** A missing node may not be registered yet: its Pods are kept for this long. */
const quarantineMs = 40_000
const wholeSweep = ['sweep']

/**
 * Deletes Pods that no other component deletes: those of missing or out-of-service nodes, those that were deleted
 * before they had a node, and the oldest finished Pods above a threshold. It writes only Pods, with their uid as a
 * precondition.
 */
export const podGarbageLoop = (vendor: Vendor, { terminatedPodGcThreshold }: DisruptionOptions) =>
  defineControlLoop({
    name: 'podgc',
    account: 'pod-garbage-collector',
    // The role of the account is one of the defaults.
    rules: [],
    setUp({ client, clock }) {
      const collection = client.resource<StoredPod>(pods)
      /** Since when the nodes of Pods are missing. */
      const missingSince = new Map<string, number>()
      let sweptAt = Number.NEGATIVE_INFINITY

      const remove = async (pod: StoredPod, reason?: { reason: string; message: string }) => {
        const { namespace = '', name = '', uid = '' } = pod.metadata
        // Controllers that count Pods, such as those of jobs, must observe that an unfinished Pod has failed.
        if (!isPodFinished(pod) && vendor.level.has(evictedPodsAreMarked)) {
          const { phase, conditions } = failed(pod, reason).status ?? {}
          const patch = { metadata: { uid }, status: { phase, ...(reason ? { conditions } : {}) } }
          const patched = collection.in(namespace).patch(name, patch, { subresource: 'status' })
          if (!(await unlessLost(patched, 'NotFound', 'Conflict'))) return
        }
        const options = { gracePeriodSeconds: 0, preconditions: { uid } }
        await unlessLost(collection.in(namespace).delete(name, options), 'NotFound', 'Conflict')
      }
      const failed = (pod: StoredPod, reason: { reason: string; message: string } | undefined): StoredPod => {
        const marked = { ...pod, status: { ...pod.status, phase: 'Failed' } }
        if (reason) setPodCondition(marked, { type: 'DisruptionTarget', status: 'True', ...reason, now: clock.now() })
        return marked
      }
      /** Whether a node that is not in the cache has really been missing for long enough. */
      const isMissing = async (node: string): Promise<boolean> => {
        const since = missingSince.get(node) ?? clock.now()
        missingSince.set(node, since)
        if (clock.now() - since < quarantineMs) return false
        return (await unlessLost(client.resource(nodes).get(node), 'NotFound')) === undefined
      }
      const removeOrphans = async (caches: LoopCaches) => {
        const known = caches.of<GarbageNode>(nodes)
        const orphans = new Map<string, StoredPod[]>()
        for (const pod of caches.of<StoredPod>(pods).list()) {
          const { nodeName = '' } = pod.spec
          if (nodeName === '' || known.get('', nodeName)) continue
          const podsOfNode = orphans.get(nodeName)
          if (podsOfNode) podsOfNode.push(pod)
          else orphans.set(nodeName, [pod])
        }
        for (const node of missingSince.keys()) if (!orphans.has(node)) missingSince.delete(node)
        for (const [node, podsOfNode] of orphans) {
          if (!(await isMissing(node))) continue
          const why = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' }
          for (const pod of podsOfNode) await remove(pod, why)
        }
      }
      return {
        sources: [
          {
            resource: pods,
            keys: (pod: StoredPod, previous: StoredPod | undefined) => (mayBeGarbage(pod, previous) ? wholeSweep : []),
          },
          {
            resource: nodes,
            keys: (node: GarbageNode, _: unknown, type: string) =>
              type === 'deleted' || isOutOfService(node, vendor) ? wholeSweep : [],
          },
        ],
        async reconcile(_, caches) {
          const waitMs = sweptAt + sweepEveryMs - clock.now()
          if (waitMs > 0) return { requeueAfterMs: waitMs }
          sweptAt = clock.now()
          const all = caches.of<StoredPod>(pods).list()
          for (const pod of oldestFinished(all, terminatedPodGcThreshold)) await remove(pod)
          for (const pod of all.filter(({ metadata }) => metadata.deletionTimestamp)) {
            const node = pod.spec.nodeName ? caches.of<GarbageNode>(nodes).get('', pod.spec.nodeName) : undefined
            const isAbandoned = node && vendor.level.has(outOfServiceNodes) && isOutOfService(node, vendor)
            if (!pod.spec.nodeName || isAbandoned) await remove(pod)
          }
          await removeOrphans(caches)
          return missingSince.size > 0 ? { requeueAfterMs: sweepEveryMs } : undefined
        },
      }
    },
  })

/** Other changes of a Pod need not trigger a sweep. */
const mayBeGarbage = (pod: StoredPod, previous: StoredPod | undefined): boolean =>
  isPodFinished(pod) || pod.metadata.deletionTimestamp !== undefined || pod.spec.nodeName !== previous?.spec.nodeName
