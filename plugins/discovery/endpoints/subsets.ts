import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service, ServicePort } from 'orch/sdk/core'
import { addressInPod, familiesOf, hostnameInService, isBackend, isPodReady, portInPod } from '../backends.js'

/** Further addresses are omitted, which an annotation shows: one object must not grow without bound. */
export const maxAddresses = 1000

interface Backend {
  readonly address: EndpointAddress
  readonly isReady: boolean
  readonly ports: readonly EndpointPort[]
}

/** The subsets of the Endpoints of a Service: addresses grouped by their ports, in a stable order. */
export function subsetsOf(service: Service, pods: readonly Pod[]): { subsets: EndpointSubset[]; isCut: boolean } {
  const backends = pods
    .flatMap(pod => backendOf(service, pod) ?? [])
    .sort((one, other) => order(one.address.ip, other.address.ip))
  const kept = [...backends.filter(({ isReady }) => isReady), ...backends.filter(({ isReady }) => !isReady)]
  const byPorts = new Map<string, Backend[]>()
  for (const backend of kept.slice(0, maxAddresses)) {
    const key = JSON.stringify(backend.ports)
    byPorts.set(key, [...(byPorts.get(key) ?? []), backend])
  }
  const subsets = [...byPorts].sort(([one], [other]) => order(one, other)).map(([, group]) => subsetOf(group))
  return { subsets, isCut: backends.length > maxAddresses }
}

function subsetOf(group: readonly Backend[]): EndpointSubset {
  const addresses = group.filter(({ isReady }) => isReady).map(({ address }) => address)
  const notReadyAddresses = group.filter(({ isReady }) => !isReady).map(({ address }) => address)
  const ports = [...(group[0]?.ports ?? [])]
  return {
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(notReadyAddresses.length > 0 ? { notReadyAddresses } : {}),
    ...(ports.length > 0 ? { ports } : {}),
  }
}

function backendOf(service: Service, pod: Pod): Backend | undefined {
  const { publishNotReadyAddresses = false, ports = [], clusterIP } = service.spec ?? {}
  if (!isBackend(pod, publishNotReadyAddresses)) return undefined
  const ip = addressInPod(pod, familiesOf(service)[0] ?? 'IPv4')
  if (ip === undefined) return undefined
  const known = ports.flatMap(port => endpointPort(pod, port) ?? [])
  // Only a headless Service may have no ports.
  if (known.length === 0 && !(ports.length === 0 && clusterIP === 'None')) return undefined
  const hostname = hostnameInService(pod, service)
  const { namespace = '', name = '', uid = '' } = pod.metadata ?? {}
  return {
    address: {
      ip,
      ...(hostname === undefined ? {} : { hostname }),
      ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
      targetRef: { kind: 'Pod', namespace, name, uid },
    },
    isReady: publishNotReadyAddresses || isPodReady(pod),
    ports: known.sort((one, other) => order(JSON.stringify(one), JSON.stringify(other))),
  }
}

function endpointPort(pod: Pod, servicePort: ServicePort): EndpointPort | undefined {
  const port = portInPod(pod, servicePort)
  if (port === undefined) return undefined
  const { name, protocol = 'TCP', appProtocol } = servicePort
  return { ...(name ? { name } : {}), port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }
}

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
