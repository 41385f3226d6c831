import { allow, defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { EndpointAddress, EndpointSubset, Endpoints, Service } from 'orch/sdk/core'
import { canonicalIp } from 'orch/sdk/validation'
import { hasSelector } from '../backends.js'
import type { Endpoint, EndpointSlice } from '../endpoint-slices/schema.js'
import { type DiscoveryNames, serviceKeysOf } from '../names.js'
import type { DiscoveryOptions } from '../options.js'
import type { EndpointGroup } from '../slicing/plan-slices.js'
import { removeSlice, slicesOf, writeSlices } from '../slicing/write-slices.js'

const name = 'endpointslicemirroring'

/** Mirrors manually written Endpoints, for a Service without a selector, as slices. */
export const mirroringLoop = (names: DiscoveryNames, { mirroringMaxEndpointsPerSubset }: DiscoveryOptions) => {
  const { endpoints, services: serviceCollection, slices } = names
  return defineControlLoop({
    name,
    account: 'endpointslicemirroring-controller',
    rules: [
      allow('get list watch', '', 'endpoints services'),
      allow('update', '', 'services/finalizers'),
      allow('update', '', 'endpoints/finalizers'),
      allow('create delete get list update', names.group, 'endpointslices'),
      names.recordEvents,
    ],
    setUp: runtime => ({
      sources: [
        { resource: endpoints },
        { resource: serviceCollection },
        { resource: slices, keys: serviceKeysOf(names) },
      ],
      async reconcile(key, caches) {
        const { namespace, name: serviceName } = splitKey(key)
        const service = caches.of<Service>(serviceCollection).get(namespace, serviceName)
        const object = caches.of<Endpoints>(endpoints).get(namespace, serviceName)
        const manager = names.mirroringManager
        const cache = caches.of<EndpointSlice>(slices)
        const stored = slicesOf(names, cache.list(namespace), serviceName, manager)
        if (!object || !service || hasSelector(service) || !isMirrored(names, object)) {
          for (const slice of stored) await removeSlice(runtime.client, names, slice)
          return
        }
        const { uid = '', labels = {}, annotations = {} } = object.metadata ?? {}
        const { [names.lastAppliedAnnotation]: _, ...kept } = annotations
        const owner = {
          kind: 'Endpoints',
          name: serviceName,
          namespace,
          uid,
          manager,
          labels,
          annotations: kept,
        } as const
        const groups = mirrored(object.subsets ?? [], mirroringMaxEndpointsPerSubset)
        await writeSlices({ ...runtime, cache }, names, owner, groups, stored, mirroringMaxEndpointsPerSubset)
      },
    }),
  })
}

const isMirrored = ({ skipMirrorLabel, leaderAnnotation }: DiscoveryNames, { metadata }: Endpoints): boolean =>
  metadata?.labels?.[skipMirrorLabel] !== 'true' && metadata?.annotations?.[leaderAnnotation] === undefined

/** One group for each subset and family in it. */
export function mirrored(subsets: readonly EndpointSubset[], maxEndpoints: number): EndpointGroup[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
    const all = [
      ...addresses.map(address => endpointOf(address, true)),
      ...notReadyAddresses.map(address => endpointOf(address, false)),
    ].slice(0, maxEndpoints)
    return (['IPv4', 'IPv6'] as const).flatMap(addressType => {
      const endpoints = all.filter(({ addresses: [ip = ''] }) => ip.includes(':') === (addressType === 'IPv6'))
      const named = ports.map(({ name = '', protocol = 'TCP', port, appProtocol }) => ({
        name,
        protocol,
        port,
        ...(appProtocol === undefined ? {} : { appProtocol }),
      }))
      return endpoints.length === 0 ? [] : [{ addressType, ports: named, endpoints }]
    })
  })
}

/** Slices have stricter rules for addresses than Endpoints. */
const endpointOf = ({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint => ({
  addresses: [canonicalIp(ip)],
  conditions: { ready },
  ...(hostname ? { hostname } : {}),
  ...(targetRef ? { targetRef } : {}),
  ...(nodeName === undefined ? {} : { nodeName }),
})
