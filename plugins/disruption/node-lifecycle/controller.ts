import { type ApiObject, parseDuration, services, type Vendor } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import {
  createEventRecorder,
  defineControlLoop,
  isPodReady,
  type LoopCaches,
  leaseCollection,
  podCollection,
} from 'orch/sdk/controllers'
import type { Lease } from 'orch/sdk/core'
import { longerGracePeriod } from '../differences.js'
import type { DisruptionOptions } from '../options.js'
import { setPodCondition } from '../pod-condition.js'
import { podsOn, type StoredPod } from '../pods-by-node.js'
import { readyOf, SignsOfLife, unknownConditions, type WatchedNode } from './node-health.js'
import { evictingTaint, isEvicting, taintsOf } from './node-taints.js'
import { evictionRates, ZonePace, zoneOf } from './zones.js'

const name = 'nodelifecycle'
const nodes = { group: '', version: 'v1', resource: 'nodes' }
/** No node has such a name. */
const allNodes = 'all nodes'

const graceMs = ({ nodeMonitorGracePeriod: given }: DisruptionOptions, { level }: Vendor): number =>
  parseDuration(given ?? (level.has(longerGracePeriod) ? '50s' : '40s'))

/**
 * Watches over nodes: the state of one that no longer reports is Unknown, and the state of a node becomes taints, which keep Pods away
 * and make them leave. It writes conditions and taints of Nodes, and the condition Ready of Pods on a node that it gave up.
 */
export const nodeLifecycleLoop = (vendor: Vendor, options: DisruptionOptions) =>
  defineControlLoop({
    name,
    account: 'node-controller',
    // The role of the account is one of the defaults.
    rules: [],
    needs: { resources: services.resources },
    setUp(runtime) {
      const { client, clock, resources } = runtime
      const leases = leaseCollection(vendor)
      const hasLeases = resources.find(leases.group, leases.resource) !== undefined
      const collection = client.resource<WatchedNode>(nodes)
      const events = createEventRecorder({ ...runtime, component: 'node-controller' })
      const signs = new SignsOfLife()
      const pace = new ZonePace()
      const { nodeAgent } = vendor.profile
      const agentName = nodeAgent.charAt(0).toUpperCase() + nodeAgent.slice(1)
      const periodMs = parseDuration(options.nodeMonitorPeriod)
      const startupMs = parseDuration(options.nodeStartupGracePeriod)
      const usualMs = graceMs(options, vendor)
      let lookedAt = Number.NEGATIVE_INFINITY

      const leaseOf = (node: WatchedNode, caches: LoopCaches) =>
        hasLeases
          ? caches.of<ApiObject & Lease>(leases).get(vendor.profile.namespaces.nodeLease, node.metadata.name ?? '')
          : undefined
      const isSilent = (node: WatchedNode, caches: LoopCaches, now: number): boolean => {
        const lease = leaseOf(node, caches)
        // Who says that a lease lasts longer is not expected back before.
        const leaseMs = (lease?.spec?.leaseDurationSeconds ?? 0) * 1000
        const mayBeSilentMs = Math.max(readyOf(node) ? usualMs : startupMs, leaseMs)
        return signs.silentMs(node, lease, now) > mayBeSilentMs
      }
      /** Pods of a node that was given up do not serve anybody, as far as is known. */
      const markPods = async (node: string, caches: LoopCaches) => {
        for (const pod of podsOn(node, caches)) {
          if (!isPodReady(pod)) continue
          const marked = structuredClone(pod)
          const before = marked.status?.conditions?.find(({ type }) => type === 'Ready')
          setPodCondition(marked, { ...before, type: 'Ready', status: 'False', now: clock.now() })
          await unlessLost(
            client.resource<StoredPod>(podCollection).updateSubresource('status', marked),
            'NotFound',
            'Conflict',
          )
          const about = { ...pod, apiVersion: 'v1', kind: 'Pod' }
          void events.record(about, 'Warning', 'NodeNotReady', 'Node is not ready')
        }
      }
      /** The node as it is afterwards. */
      const judge = async (node: WatchedNode, caches: LoopCaches, now: number): Promise<WatchedNode> => {
        const conditions = isSilent(node, caches, now) ? unknownConditions(node, agentName, now) : undefined
        if (!conditions) return node
        const judged = { ...node, status: { ...node.status, conditions } }
        const written = await unlessLost(collection.updateSubresource('status', judged), 'NotFound', 'Conflict')
        if (!written) return node
        if (readyOf(node)?.status === 'True') {
          const { name: nodeName = '' } = node.metadata
          const text = `Node ${nodeName} status is now: NodeNotReady`
          void events.record({ ...node, apiVersion: 'v1', kind: 'Node' }, 'Normal', 'NodeNotReady', text)
          await markPods(nodeName, caches)
        }
        return written
      }
      const writeTaints = async (node: WatchedNode, evicts: boolean, now: number) => {
        const taints = taintsOf(node, evicts ? evictingTaint(node) : undefined, vendor, now)
        if (!taints) return
        const { name: nodeName = '', resourceVersion } = node.metadata
        const patch = { metadata: { resourceVersion }, spec: { taints } }
        await unlessLost(collection.patch(nodeName, patch), 'NotFound', 'Conflict')
      }
      /** What is known of one node becomes taints without delay. Whether Pods have to leave depends on the others, too. */
      const taintAtOnce = async (node: WatchedNode | undefined) => {
        if (node && !node.metadata.deletionTimestamp) await writeTaints(node, isEvicting(node, vendor), clock.now())
      }
      const taint = async (node: WatchedNode, rate: number | undefined, now: number) => {
        const mayEvict = rate !== undefined && evictingTaint(node) !== undefined
        const evicts = mayEvict && (isEvicting(node, vendor) || pace.takes(zoneOf(node, vendor), rate, now))
        await writeTaints(node, evicts, now)
      }
      return {
        sources: [
          { resource: nodes, keys: ({ metadata }: WatchedNode) => [metadata.name ?? '', allNodes] },
          { resource: podCollection, keys: () => [] },
          ...(hasLeases ? [{ resource: leases, keys: () => [] }] : []),
        ],
        async reconcile(key, caches) {
          if (key !== allNodes) return taintAtOnce(caches.of<WatchedNode>(nodes).get('', key))
          const waitMs = lookedAt + periodMs - clock.now()
          if (waitMs > 0) return { requeueAfterMs: waitMs }
          lookedAt = clock.now()
          const known = caches.of<WatchedNode>(nodes).list()
          signs.keepOnly(new Set(known.map(({ metadata }) => metadata.uid ?? '')))
          const judged: WatchedNode[] = []
          for (const node of known)
            if (!node.metadata.deletionTimestamp) judged.push(await judge(node, caches, lookedAt))
          const rates = evictionRates(judged, vendor, options)
          for (const node of judged) await taint(node, rates?.get(zoneOf(node, vendor)), lookedAt)
          return known.length > 0 ? { requeueAfterMs: periodMs } : undefined
        },
      }
    },
  })
