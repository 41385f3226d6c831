import { allow, defineControlLoop } from 'orch/sdk/controllers'
import type { Pod, Service } from 'orch/sdk/core'
import {
  addressInPod,
  familiesOf,
  hasSelector,
  hostnameInService,
  isBackend,
  isHeadless,
  isPodReady,
  PodChanges,
  podMatcher,
  portInPod,
} from '../backends.js'
import type { Endpoint, EndpointPort, EndpointSlice } from '../endpoint-slices/schema.js'
import { type DiscoveryNames, serviceKeysOf } from '../names.js'
import type { DiscoveryOptions } from '../options.js'
import { TriggerTimes } from '../trigger-times.js'
import { hintsOf, isForZones } from './hints.js'
import type { EndpointGroup } from './plan-slices.js'
import { slicesOf, writeSlices } from './write-slices.js'
import { changesShares, withZoneHints, type ZoneNode, zoneShares } from './zone-shares.js'

const name = 'endpointslice'

/** Maintains the slices of every Service with a selector: its Pods, including terminating ones. */
export const slicingLoop = (names: DiscoveryNames, { maxEndpointsPerSlice }: DiscoveryOptions, keepsHints: boolean) => {
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
      const times = new TriggerTimes()
      const waiting = new WaitingServices()
      /** Services whose endpoints are allocated to zones, so that they depend on all nodes. */
      const sharing = new Set<string>()
      const zoneNames = { zoneKey, excluded: names.controlPlaneLabels }
      return {
        sources: [
          { resource: serviceCollection },
          { resource: slices, keys: serviceKeysOf(names) },
          { resource: pods, keys: changes.keys },
          // Nodes are mostly just looked up: their zone does not change.
          {
            resource: nodes,
            keys: (node: ZoneNode, previous: ZoneNode | undefined, type: string) => [
              ...waiting.keysOf(node),
              ...(type !== 'modified' || changesShares(node, previous, zoneKey) ? sharing : []),
            ],
          },
        ],
        async reconcile(key, caches) {
          await changes.eachService(
            key,
            caches.of<Service>(serviceCollection),
            async service => {
              const { name: serviceName = '', namespace = '', uid = '', labels = {} } = service.metadata ?? {}
              if (!hasSelector(service) || service.metadata?.deletionTimestamp) return
              if (service.spec?.type === 'ExternalName' && names.externalNamesHaveNoEndpoints) return
              const behind = caches.of<Pod>(pods).list(namespace).filter(podMatcher(service))
              const nodeOf = (node: string) => caches.of<ZoneNode>(nodes).get('', node)
              const zoneOf = (node: string) => nodeOf(node)?.metadata?.labels?.[zoneKey] || undefined
              const publishesAll = service.spec?.publishNotReadyAddresses || !names.missingNodesHaveNoEndpoints
              const isOnNode = ({ spec }: Pod) => nodeOf(spec?.nodeName ?? '') !== undefined
              const backends = publishesAll ? behind : behind.filter(isOnNode)
              const missing = behind.flatMap(pod =>
                isOnNode(pod) || !pod.status?.podIP ? [] : (pod.spec?.nodeName ?? []),
              )
              waiting.set(`${namespace}/${serviceName}`, new Set(publishesAll ? [] : missing))
              const time = times.next(service, behind)
              const manager = names.slicingManager
              const cache = caches.of<EndpointSlice>(slices)
              const stored = slicesOf(names, cache.list(namespace), serviceName, manager)
              const { [headlessLabel]: _, ...serviceLabels } = labels
              const headless = isHeadless(service) ? { [headlessLabel]: '' } : {}
              const owner = {
                kind: 'Service',
                name: serviceName,
                namespace,
                uid,
                manager,
                labels: { ...serviceLabels, ...headless },
                triggerTime: { time },
              } as const
              const serviceKey = `${namespace}/${serviceName}`
              const isShared = keepsHints && isForZones(service, names)
              if (isShared) sharing.add(serviceKey)
              else sharing.delete(serviceKey)
              const plain = groupsOf(service, backends, zoneOf, hintsOf(service, names))
              const shares = isShared ? zoneShares(caches.of<ZoneNode>(nodes).list(), zoneNames) : undefined
              const groups = isShared ? withZoneHints(plain, shares) : plain
              await writeSlices({ ...runtime, cache }, names, owner, groups, stored, maxEndpointsPerSlice)
            },
            times,
          )
        },
      }
    },
  })
}

/** Services with Pods on missing nodes: they are reconciled when the node is created. */
class WaitingServices {
  readonly #services = new Map<string, Set<string>>()
  /** The nodes that each Service waits for, so that obsolete entries can be removed. */
  readonly #nodes = new Map<string, ReadonlySet<string>>()

  set(service: string, nodes: ReadonlySet<string>): void {
    for (const node of this.#nodes.get(service) ?? []) {
      const services = this.#services.get(node)
      services?.delete(service)
      if (services?.size === 0) this.#services.delete(node)
    }
    if (nodes.size === 0) this.#nodes.delete(service)
    else this.#nodes.set(service, nodes)
    for (const node of nodes) this.#services.set(node, (this.#services.get(node) ?? new Set()).add(service))
  }
  /** The Services that wait for this node. */
  readonly keysOf = ({ metadata }: ZoneNode): string[] => [...(this.#services.get(metadata?.name ?? '') ?? [])]
}

/** The endpoints of a Service by family and ports; one group without endpoints for a family that has none. */
export function groupsOf(
  service: Service,
  pods: readonly Pod[],
  zoneOf: (node: string) => string | undefined,
  addHints: (endpoint: Endpoint) => Endpoint = endpoint => endpoint,
): EndpointGroup[] {
  return familiesOf(service).flatMap(addressType => {
    const groups = new Map<string, EndpointGroup & { endpoints: Endpoint[] }>()
    for (const pod of pods) {
      const address = addressInPod(pod, addressType)
      if (address === undefined || !isBackend(pod, true)) continue
      const ports = portsOf(service, pod)
      const key = JSON.stringify(ports)
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] }
      group.endpoints.push(addHints(endpointOf(service, pod, address, zoneOf)))
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
