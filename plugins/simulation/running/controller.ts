import {
  defineControlLoop,
  keyOf,
  podCollection,
  shareInformer,
  splitKey,
  withoutConflicts,
} from 'orch/sdk/controllers'
import { limitedEvents } from '../limited-events.js'
import { isSimulated, nodeCollection, type SimulationNames } from '../names.js'
import type { SimulatedNode } from '../nodes/node-objects.js'
import type { SimulationOptions } from '../options.js'
import { Addresses } from './addresses.js'
import { type AgentWork, syncPod } from './agent.js'
import type { StoredPod } from './container-facts.js'
import { ExactTimes } from './exact-times.js'

/** Pods that are processed concurrently. */
const workers = 24
const byNode = 'simulated-pods:node'

/** Simulates the node agents: writes the statuses that the Pods bound there would have. */
export const agentLoop = (names: SimulationNames, { simulationRules }: SimulationOptions, reportsResources: boolean) =>
  defineControlLoop({
    name: 'simulated-pods',
    rules: [
      { verbs: ['delete', 'get'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['patch'], apiGroups: [''], resources: ['pods/status'] },
      names.recordEvents,
    ],
    setUp(runtime) {
      const { client, clock } = runtime
      const informer = shareInformer<StoredPod>({ ...runtime, resource: podCollection })
      informer.cache.addIndex(byNode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
      const work: AgentWork = {
        clock,
        pods: client.resource<StoredPod>(podCollection),
        events: limitedEvents(runtime, names.agentName),
        addresses: new Addresses(),
        times: new ExactTimes(),
        rules: simulationRules,
        behaviorAnnotation: names.behaviorAnnotation,
        reportsResources,
        podsOn: node => informer.cache.indexed(byNode, node),
      }
      const podKeys = (pod: StoredPod, _: StoredPod | undefined, type: string): string[] => {
        const { uid = '' } = pod.metadata
        if (type === 'deleted') {
          work.addresses.release(uid)
          work.times.forget(uid)
        } else if (pod.status?.podIP && !pod.spec.hostNetwork) work.addresses.note(uid, pod.status.podIP)
        return pod.spec.nodeName && type !== 'deleted' ? [keyOf(pod)] : []
      }
      const wasSimulated = (node: SimulatedNode | undefined) => node !== undefined && isSimulated(node, names)
      /** Pods may be on a node before it is known, or known to be simulated. */
      const nodeKeys = (node: SimulatedNode, previous: SimulatedNode | undefined): string[] =>
        wasSimulated(node) && !wasSimulated(previous)
          ? informer.cache.indexed(byNode, node.metadata.name ?? '').map(keyOf)
          : []
      return {
        workers,
        sources: [
          { resource: podCollection, keys: podKeys },
          { resource: nodeCollection, keys: nodeKeys },
        ],
        reconcile: withoutConflicts(async (key, caches) => {
          const { namespace, name } = splitKey(key)
          const pod = caches.of<StoredPod>(podCollection).get(namespace, name)
          const node = pod && caches.of<SimulatedNode>(nodeCollection).get('', pod.spec.nodeName ?? '')
          if (!pod || !node || !isSimulated(node, names)) return
          return syncPod(work, pod, node)
        }),
        stop: () => informer.stop(),
      }
    },
  })
