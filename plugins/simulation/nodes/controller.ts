import { type ApiObject, type Clock, parseDuration } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'
import { defineControlLoop, KeyWorkers, withoutConflicts } from 'orch/sdk/controllers'
import { isSchedulingTaint, type Lease, schedulingTaints, type Taint } from 'orch/sdk/core'
import { isSimulated, nodeCollection, type SimulationNames } from '../names.js'
import type { SimulationOptions } from '../options.js'
import { Heartbeats } from './heartbeats.js'
import { configuredNodes, healthyConditions, healthyStatus, isUnreported, type SimulatedNode } from './node-objects.js'

/** The taints that follow from the conditions and the spec of a node; undefined if it has exactly those. */
export function taintsFor(node: SimulatedNode, { nodeTaint }: SimulationNames): Taint[] | undefined {
  const wanted = schedulingTaints(node, nodeTaint)
  const isOurs = (taint: Taint) => isSchedulingTaint(taint, nodeTaint)
  const before = node.spec?.taints ?? []
  const had = new Set(before.filter(isOurs).map(({ key }) => key))
  const isSame = had.size === wanted.length && wanted.every(({ key }) => had.has(key))
  return isSame ? undefined : [...before.filter(taint => !isOurs(taint)), ...wanted]
}

/** Nodes that are created concurrently. */
const concurrentCreates = 32
/** An unchanged node status is reported again after this time, as node agents do. */
const statusEveryMs = 300_000

/** Creates the configured nodes, and simulates the agents of all simulated nodes. */
export const nodeLoop = (names: SimulationNames, options: SimulationOptions) =>
  defineControlLoop({
    name: 'simulated-nodes',
    rules: [
      { verbs: ['create', 'get', 'patch'], apiGroups: [''], resources: ['nodes'] },
      { verbs: ['patch'], apiGroups: [''], resources: ['nodes/status'] },
      {
        verbs: ['create', 'get', 'patch'],
        apiGroups: [names.leases.group],
        resources: ['leases'],
        namespace: names.leaseNamespace,
      },
    ],
    setUp(runtime) {
      const { client, clock, logger } = runtime
      const nodes = client.resource<SimulatedNode>(nodeCollection)
      const leases = client.resource<ApiObject & Lease>(names.leases).in(names.leaseNamespace)
      const heartbeats = new Heartbeats({
        clock,
        logger,
        leases,
        intervalMs: parseDuration(options.simulatedHeartbeatInterval),
      })
      // Once per start: a node that is deleted later is recreated at the next start only.
      const wanted = new Map(configuredNodes(options, names).map(node => [node.metadata.name ?? '', node]))
      const makers = new KeyWorkers({
        ...runtime,
        name: 'simulated-nodes-to-make',
        workers: concurrentCreates,
        async work(key) {
          const node = wanted.get(key)
          if (node) await makeNode(nodes, node, names, clock)
        },
      })
      for (const name of wanted.keys()) makers.add(name)
      makers.start()
      const reconcile = async (name: string, node: SimulatedNode | undefined) => {
        if (!node || !isSimulated(node, names)) return heartbeats.remove(name)
        heartbeats.add(node)
        return syncNode(nodes, node, names, clock.now())
      }
      return {
        workers: 16,
        sources: [{ resource: nodeCollection }],
        reconcile: withoutConflicts(async (key, caches) =>
          reconcile(key, caches.of<SimulatedNode>(nodeCollection).get('', key)),
        ),
        stop: async () => void (await Promise.all([makers.stop(), heartbeats.stop()])),
      }
    },
  })

async function makeNode(
  nodes: ResourceClient<SimulatedNode>,
  node: SimulatedNode,
  names: SimulationNames,
  clock: Clock,
): Promise<void> {
  const status = healthyStatus(node, names, clock.now())
  await unlessLost(nodes.create({ ...node, status }), 'AlreadyExists')
}

/** Renews the status of a node, and keeps its taints in line with its conditions. */
async function syncNode(
  nodes: ResourceClient<SimulatedNode>,
  node: SimulatedNode,
  names: SimulationNames,
  now: number,
): Promise<{ requeueAfterMs: number } | undefined> {
  const { name = '', deletionTimestamp } = node.metadata
  if (deletionTimestamp) return undefined
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  const heartbeatAt = Date.parse(ready?.lastHeartbeatTime ?? '') || 0
  if (!ready) {
    const status = healthyStatus(node, names, now)
    await unlessLost(nodes.patch(name, { status }, { subresource: 'status' }), 'NotFound')
    return undefined
  }
  const taints = taintsFor(node, names)
  if (taints) await unlessLost(nodes.patch(name, { spec: { taints } }), 'NotFound')
  if (heartbeatAt + statusEveryMs > now && !isUnreported(ready))
    return { requeueAfterMs: heartbeatAt + statusEveryMs - now }
  const conditions = healthyConditions(node, names, now)
  await unlessLost(nodes.patch(name, { status: { conditions } }, { subresource: 'status' }), 'NotFound')
  return undefined
}
