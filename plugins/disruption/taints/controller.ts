import type { ApiObject, Vendor } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import {
  createEventRecorder,
  defineControlLoop,
  keyOf,
  type LoopCaches,
  podCollection,
  splitKey,
  withoutConflicts,
} from 'orch/sdk/controllers'
import type { Taint } from 'orch/sdk/core'
import { evictedPodsAreMarked } from '../differences.js'
import { setPodCondition } from '../pod-condition.js'
import { podsOn, type StoredPod } from '../pods-by-node.js'
import { tolerationMs } from './toleration-time.js'

type Node = ApiObject & { spec?: { taints?: Taint[] } }
const name = 'taint-eviction-controller'
const nodes = { group: '', version: 'v1', resource: 'nodes' }

const evicting = ({ spec }: Node): Taint[] => (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute')

/** Deletes Pods from nodes whose taints they do not, or no longer, tolerate. */
export const taintEvictionLoop = (vendor: Vendor) =>
  defineControlLoop({
    name,
    account: 'node-controller',
    // The role of the account is one of the defaults.
    rules: [],
    setUp(runtime) {
      const { client, clock } = runtime
      const collection = client.resource<StoredPod>(podCollection)
      const events = createEventRecorder({ ...runtime, component: name })
      /** When each Pod was first found on a tainted node, by its key: its tolerationSeconds start then. */
      const since = new Map<string, { readonly uid: string; readonly at: number }>()
      let loopCaches: LoopCaches | undefined

      const evict = async (pod: StoredPod) => {
        const { namespace = '', name: podName = '', uid = '' } = pod.metadata
        const text = `Marking for deletion Pod ${namespace}/${podName}`
        void events.record({ ...pod, apiVersion: 'v1', kind: 'Pod' }, 'Normal', 'TaintManagerEviction', text)
        if (vendor.level.has(evictedPodsAreMarked)) {
          const marked = structuredClone(pod)
          setPodCondition(marked, {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'DeletionByTaintManager',
            message: 'Taint manager: deleting due to NoExecute taint',
            now: clock.now(),
          })
          if (!(await unlessLost(collection.updateSubresource('status', marked), 'NotFound'))) return
        }
        await unlessLost(collection.in(namespace).delete(podName, { preconditions: { uid } }), 'NotFound', 'Conflict')
      }
      const reconcile = async (key: string, caches: LoopCaches) => {
        loopCaches = caches
        const { namespace, name: podName } = splitKey(key)
        const pod = caches.of<StoredPod>(podCollection).get(namespace, podName)
        const node = pod?.spec.nodeName ? caches.of<Node>(nodes).get('', pod.spec.nodeName) : undefined
        const taints = node ? evicting(node) : []
        const uid = pod?.metadata.uid ?? ''
        const mayStayMs = pod ? tolerationMs(taints, pod.spec.tolerations) : Number.POSITIVE_INFINITY
        if (!pod || pod.metadata.deletionTimestamp || taints.length === 0 || mayStayMs === Number.POSITIVE_INFINITY) {
          since.delete(key)
          return
        }
        const known = since.get(key)
        const at = known?.uid === uid ? known.at : clock.now()
        since.set(key, { uid, at })
        const leftMs = at + mayStayMs - clock.now()
        if (leftMs > 0) return { requeueAfterMs: leftMs }
        await evict(pod)
        since.delete(key)
      }
      return {
        workers: 5,
        sources: [
          {
            resource: nodes,
            keys: (node: Node, previous: Node | undefined) =>
              evicting(node).length === 0 && (!previous || evicting(previous).length === 0)
                ? []
                : (loopCaches ? podsOn(node.metadata.name ?? '', loopCaches) : []).map(keyOf),
          },
          { resource: podCollection, keys: (pod: StoredPod) => (pod.spec.nodeName ? [keyOf(pod)] : []) },
        ],
        reconcile: withoutConflicts(reconcile),
      }
    },
  })
