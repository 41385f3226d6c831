import {
  AtomicList,
  Bool,
  embedded,
  field,
  Int32,
  Kind,
  kept,
  required,
  SetList,
  type Static,
  StringMap,
  Struct,
  Text,
} from 'orch/sdk'
import { ObjectReference } from 'orch/sdk/core'

export const EndpointConditions = Struct(
  'discovery.v1.EndpointConditions',
  {
    ready: kept(1, Bool(), 'Whether it is ready for new traffic. Unset means true.'),
    serving: kept(2, Bool(), 'Whether it serves requests, even if it is terminating. Defaults to ready.'),
    terminating: kept(3, Bool(), 'Whether it is terminating. Unset means false.'),
  },
  { description: 'The state of an endpoint.' },
)

export const ForZone = Struct(
  'discovery.v1.ForZone',
  { name: required(1, Text(), 'Name of the zone.') },
  { description: 'A zone that an endpoint is meant for.' },
)

export const ForNode = Struct(
  'discovery.v1.ForNode',
  { name: required(1, Text(), 'Name of the node.') },
  { description: 'A node that an endpoint is meant for.' },
)

export const EndpointHints = Struct(
  'discovery.v1.EndpointHints',
  {
    forZones: field(1, AtomicList(ForZone), 'Zones that should use the endpoint.'),
    forNodes: field(2, AtomicList(ForNode), {
      description: 'Nodes that should use the endpoint, at most 8.',
      since: '1.33',
      gate: 'PreferSameTrafficDistribution',
    }),
  },
  { description: 'Consumers that should use an endpoint.' },
)
export type EndpointHints = Static<typeof EndpointHints>

export const Endpoint = Struct(
  'discovery.v1.Endpoint',
  {
    addresses: required(1, SetList(Text()), 'Interchangeable addresses of the type of the slice, 1 to 100.'),
    conditions: embedded(2, EndpointConditions, 'The state of the endpoint.'),
    hostname: kept(3, Text(), 'Name of the host. Endpoints may share it.'),
    targetRef: kept(4, ObjectReference, 'The object at this address, such as a Pod.'),
    deprecatedTopology: field(5, StringMap(), 'Location labels of v1beta1. Writes are ignored.'),
    nodeName: kept(6, Text(), 'The node that it is on.'),
    zone: kept(7, Text(), 'The zone that it is in.'),
    hints: kept(8, EndpointHints, 'Consumers that should use it.'),
  },
  { description: 'One backend of a Service.' },
)
export type Endpoint = Static<typeof Endpoint>

export const EndpointPort = Struct(
  'discovery.v1.EndpointPort',
  {
    name: kept(1, Text(), { description: "Name of the port; that of the Service's port.", default: '' }),
    protocol: kept(2, Text(), { description: 'TCP, UDP or SCTP. TCP by default.', default: 'TCP' }),
    port: kept(3, Int32(), 'Number of the port. Unset means that it is not restricted.'),
    appProtocol: kept(4, Text(), 'Protocol of the application.'),
  },
  { description: 'A port of every endpoint of a slice.', mapType: 'atomic' },
)
export type EndpointPort = Static<typeof EndpointPort>

export const aboutSlice = {
  addressType: 'Type of all addresses: IPv4, IPv6 or FQDN. It cannot change.',
  endpoints: 'The endpoints, at most 1000.',
  ports: 'Ports of every endpoint, at most 20,000.',
  slice: 'A part of the endpoints of a Service.',
}
export const EndpointSlice = Kind(
  'discovery.v1.EndpointSlice',
  {
    endpoints: required(2, AtomicList(Endpoint), {
      description: aboutSlice.endpoints,
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    ports: embedded(3, AtomicList(EndpointPort), aboutSlice.ports),
    addressType: required(4, Text(), aboutSlice.addressType),
  },
  { description: aboutSlice.slice },
)
export type EndpointSlice = Static<typeof EndpointSlice>
