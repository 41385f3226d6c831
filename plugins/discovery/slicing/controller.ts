import { allow, defineControlLoop } from 'orch/sdk/controllers'
import type { Pod, Service } from 'orch/sdk/core'
import {
  addressInPod,
  familiesOf,
  hasSelector,
  hostnameInService,
  isBackend,
  isPodReady,
  PodChanges,
  podMatcher,
  portInPod,
} from '../backends.js'
import type { Endpoint, EndpointPort, EndpointSlice } from '../endpoint-slices/schema.js'
import { type DiscoveryNames, serviceKeysOf } from '../names.js'
import type { DiscoveryOptions } from '../options.js'
import type { EndpointGroup } from './plan-slices.js'
import { slicesOf, writeSlices } from './write-slices.js'

const name = 'endpointslice'
interface Node {
  metadata?: { name?: string; labels?: Record<string, string> }
}

/** Keeps the slices of every Service that has a selector: its Pods, also those that are about to end. */
export const slicingLoop = (names: DiscoveryNames, { maxEndpointsPerSlice }: DiscoveryOptions) => {
  const { pods, services: serviceCollection, nodes, slices, headlessLabel, zoneKey } = names
  return defineControlLoop({
    name,
    account: 'endpointslice-controller',
    rules: [
      allow('get list watch', '', 'nodes pods services'),
      allow('update', '', 'services/finalizers'),
      allow('create delete get list update', names.group, 'endpointslices'),
      names.recordEvents,
    ],
    setUp: runtime => {
      const changes = new PodChanges()
      return {
        sources: [
          { resource: serviceCollection },
          { resource: slices, keys: serviceKeysOf(names) },
          { resource: pods, keys: changes.keys },
          // Only looked up: where a node is does not change while it is there.
          { resource: nodes, keys: () => [] },
        ],
        async reconcile(key, caches) {
          await changes.eachService(key, caches.of<Service>(serviceCollection), async service => {
            const { name: serviceName = '', namespace = '', uid = '', labels = {} } = service.metadata ?? {}
            if (!hasSelector(service) || service.metadata?.deletionTimestamp) return
            const backends = caches.of<Pod>(pods).list(namespace).filter(podMatcher(service))
            const zoneOf = (node: string) => caches.of<Node>(nodes).get('', node)?.metadata?.labels?.[zoneKey]
            const manager = names.slicingManager
            const cache = caches.of<EndpointSlice>(slices)
            const stored = slicesOf(names, cache.list(namespace), serviceName, manager)
            const headless = service.spec?.clusterIP === 'None' ? { [headlessLabel]: '' } : {}
            const owner = {
              kind: 'Service',
              name: serviceName,
              namespace,
              uid,
              manager,
              labels: { ...labels, ...headless },
            } as const
            const groups = groupsOf(service, backends, zoneOf)
            await writeSlices({ ...runtime, cache }, names, owner, groups, stored, maxEndpointsPerSlice)
          })
        },
      }
    },
  })
}

/** The endpoints of a Service by family and ports; one group without endpoints for a family that has none. */
export function groupsOf(
  service: Service,
  pods: readonly Pod[],
  zoneOf: (node: string) => string | undefined,
): EndpointGroup[] {
  return familiesOf(service).flatMap(addressType => {
    const groups = new Map<string, EndpointGroup & { endpoints: Endpoint[] }>()
    for (const pod of pods) {
      const address = addressInPod(pod, addressType)
      if (address === undefined || !isBackend(pod, true)) continue
      const ports = portsOf(service, pod)
      const key = JSON.stringify(ports)
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] }
      group.endpoints.push(endpointOf(service, pod, address, zoneOf))
      groups.set(key, group)
    }
    return groups.size > 0 ? [...groups.values()] : [{ addressType, ports: [], endpoints: [] }]
  })
}

function endpointOf(
  service: Service,
  pod: Pod,
  address: string,
  zoneOf: (node: string) => string | undefined,
): Endpoint {
  const { namespace = '', name = '', uid = '', deletionTimestamp } = pod.metadata ?? {}
  const isTerminating = deletionTimestamp !== undefined
  const serving = isPodReady(pod)
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !isTerminating)
  const { nodeName } = pod.spec ?? {}
  const zone = nodeName ? zoneOf(nodeName) : undefined
  const hostname = hostnameInService(pod, service)
  return {
    addresses: [address],
    conditions: { ready, serving, terminating: isTerminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName ? { nodeName } : {}),
    ...(zone === undefined ? {} : { zone }),
  }
}

function portsOf(service: Service, pod: Pod): EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap(one => {
    const port = portInPod(pod, one)
    if (port === undefined) return []
    const { name = '', protocol = 'TCP', appProtocol } = one
    return [{ name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) }]
  })
}
