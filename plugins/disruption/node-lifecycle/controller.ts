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
import { LastReports, readyOf, unknownConditions, type WatchedNode } from './node-health.js'
import { evictingTaint, isEvicting, taintsOf } from './node-taints.js'
import { evictionRates, ZoneRateLimiter, zoneOf } from './zones.js'

const name = 'nodelifecycle'
const nodes = { group: '', version: 'v1', resource: 'nodes' }
/** The key of a check of all nodes. Not a valid node name. */
const allNodes = 'all nodes'

const gracePeriodOf = ({ nodeMonitorGracePeriod: given }: DisruptionOptions, { level }: Vendor): number =>
  parseDuration(given ?? (level.has(longerGracePeriod) ? '50s' : '40s'))

/**
 * Monitors nodes: sets the conditions of nodes that no longer report to Unknown, and taints nodes according to their
 * conditions, to prevent scheduling and to evict Pods. It writes conditions and taints of Nodes, and the condition
 * Ready of Pods on unreachable nodes.
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
      const lastReports = new LastReports()
      const limiter = new ZoneRateLimiter()
      const { nodeAgent } = vendor.profile
      const agentName = nodeAgent.charAt(0).toUpperCase() + nodeAgent.slice(1)
      const periodMs = parseDuration(options.nodeMonitorPeriod)
      const startupMs = parseDuration(options.nodeStartupGracePeriod)
      const graceMs = gracePeriodOf(options, vendor)
      let checkedAt = Number.NEGATIVE_INFINITY

      const leaseOf = (node: WatchedNode, caches: LoopCaches) =>
        hasLeases
          ? caches.of<ApiObject & Lease>(leases).get(vendor.profile.namespaces.nodeLease, node.metadata.name ?? '')
          : undefined
      const isSilent = (node: WatchedNode, caches: LoopCaches, now: number): boolean => {
        const lease = leaseOf(node, caches)
        // A node with a longer lease need not report before it expires.
        const leaseMs = (lease?.spec?.leaseDurationSeconds ?? 0) * 1000
        const maxSilentMs = Math.max(readyOf(node) ? graceMs : startupMs, leaseMs)
        return lastReports.silentMs(node, lease, now) > maxSilentMs
      }
      /** Pods of an unreachable node are assumed not to be ready. */
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
      /** Returns the updated node. */
      const updateConditions = async (node: WatchedNode, caches: LoopCaches, now: number): Promise<WatchedNode> => {
        const conditions = isSilent(node, caches, now) ? unknownConditions(node, agentName, now) : undefined
        if (!conditions) return node
        const changed = { ...node, status: { ...node.status, conditions } }
        const written = await unlessLost(collection.updateSubresource('status', changed), 'NotFound', 'Conflict')
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
      /** Sets scheduling taints immediately. Whether Pods are evicted also depends on the other nodes. */
      const updateTaints = async (node: WatchedNode | undefined) => {
        if (node && !node.metadata.deletionTimestamp) await writeTaints(node, isEvicting(node, vendor), clock.now())
      }
      const taintAtRate = async (node: WatchedNode, rate: number | undefined, now: number) => {
        const mayEvict = rate !== undefined && evictingTaint(node) !== undefined
        const evicts = mayEvict && (isEvicting(node, vendor) || limiter.tryAcquire(zoneOf(node, vendor), rate, now))
        await writeTaints(node, evicts, now)
      }
      return {
        sources: [
          { resource: nodes, keys: ({ metadata }: WatchedNode) => [metadata.name ?? '', allNodes] },
          { resource: podCollection, keys: () => [] },
          ...(hasLeases ? [{ resource: leases, keys: () => [] }] : []),
        ],
        async reconcile(key, caches) {
          if (key !== allNodes) return updateTaints(caches.of<WatchedNode>(nodes).get('', key))
          const waitMs = checkedAt + periodMs - clock.now()
          if (waitMs > 0) return { requeueAfterMs: waitMs }
          checkedAt = clock.now()
          const known = caches.of<WatchedNode>(nodes).list()
          lastReports.keepOnly(new Set(known.map(({ metadata }) => metadata.uid ?? '')))
          const checked: WatchedNode[] = []
          for (const node of known)
            if (!node.metadata.deletionTimestamp) checked.push(await updateConditions(node, caches, checkedAt))
          const rates = evictionRates(checked, vendor, options)
          for (const node of checked) await taintAtRate(node, rates?.get(zoneOf(node, vendor)), checkedAt)
          return known.length > 0 ? { requeueAfterMs: periodMs } : undefined
        },
      }
    },
  })
