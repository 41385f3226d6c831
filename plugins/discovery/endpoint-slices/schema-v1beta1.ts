import { AtomicList, embedded, field, Kind, kept, required, type Static, StringMap, Struct, Text } from 'orch/sdk'
import * as stable from './schema.js'

/** The fields of v1 under the names of the older version; the location of an endpoint is a map here. */
export const EndpointConditions = Struct('discovery.v1beta1.EndpointConditions', stable.EndpointConditions.properties, {
  description: 'The state of an endpoint.',
})
export const ForZone = Struct('discovery.v1beta1.ForZone', stable.ForZone.properties, {
  description: 'A zone that an endpoint is meant for.',
})
export const EndpointHints = Struct(
  'discovery.v1beta1.EndpointHints',
  { forZones: field(1, AtomicList(ForZone), 'Zones that should use the endpoint.') },
  { description: 'Consumers that should use an endpoint.' },
)

const { addresses, hostname, targetRef, nodeName } = stable.Endpoint.properties
export const Endpoint = Struct(
  'discovery.v1beta1.Endpoint',
  {
    addresses,
    conditions: embedded(2, EndpointConditions, 'The state of the endpoint.'),
    hostname,
    targetRef,
    topology: field(
      5,
      StringMap(),
      'Location of the endpoint: its node and zone by their labels, and at most 16 labels in all.',
    ),
    nodeName,
    hints: kept(7, EndpointHints, 'Consumers that should use it.'),
  },
  { description: 'One backend of a Service.' },
)
export type Endpoint = Static<typeof Endpoint>

export const EndpointPort = Struct('discovery.v1beta1.EndpointPort', stable.EndpointPort.properties, {
  description: 'A port of every endpoint of a slice.',
})

export const EndpointSlice = Kind(
  'discovery.v1beta1.EndpointSlice',
  {
    endpoints: required(2, AtomicList(Endpoint), stable.aboutSlice.endpoints),
    ports: embedded(3, AtomicList(EndpointPort), stable.aboutSlice.ports),
    addressType: required(4, Text(), stable.aboutSlice.addressType),
  },
  { description: stable.aboutSlice.slice },
)
export type EndpointSlice = Static<typeof EndpointSlice>
