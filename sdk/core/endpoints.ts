import { Kind } from '../resource/meta.js'
import { field, Int32, kept, ListOf, required, type Static, Struct, Text } from '../resource/schema.js'
import { portNumbers, protocols } from './port-limits.js'
import { ObjectReference } from './references.js'

/** An address behind a Service. */
export const EndpointAddress = Struct(
  'core.v1.EndpointAddress',
  {
    ip: required(1, Text(), 'The address. Loopback and link-local addresses are rejected.'),
    hostname: field(3, Text(), 'Name of the host.'),
    nodeName: kept(4, Text(), 'The node that it is on.'),
    targetRef: kept(2, ObjectReference, 'The object at this address, such as a Pod.'),
  },
  { description: 'An address behind a Service.', mapType: 'atomic' },
)
export type EndpointAddress = Static<typeof EndpointAddress>

/** A port behind a Service. */
export const EndpointPort = Struct(
  'core.v1.EndpointPort',
  {
    name: field(1, Text(), "Name of the port; that of the Service's port."),
    port: required(2, Int32(portNumbers), 'Number of the port.'),
    protocol: field(3, Text({ enum: protocols }), { description: 'TCP, UDP or SCTP. TCP by default.', default: 'TCP' }),
    appProtocol: kept(4, Text(), 'Protocol of the application.'),
  },
  { description: 'A port behind a Service.', mapType: 'atomic' },
)
export type EndpointPort = Static<typeof EndpointPort>

/** Addresses that have the same ports. */
export const EndpointSubset = Struct(
  'core.v1.EndpointSubset',
  {
    addresses: field(1, ListOf(EndpointAddress), 'Addresses that are ready.'),
    notReadyAddresses: field(2, ListOf(EndpointAddress), 'Addresses that are not ready.'),
    ports: field(3, ListOf(EndpointPort), 'The ports of each address.'),
  },
  { description: 'Addresses that have the same ports.' },
)
export type EndpointSubset = Static<typeof EndpointSubset>

/** The addresses behind the Service of the same name. */
export const Endpoints = Kind(
  'core.v1.Endpoints',
  {
    subsets: field(2, ListOf(EndpointSubset), 'Addresses with their ports.'),
  },
  { description: 'The addresses behind the Service of the same name.' },
)
export type Endpoints = Static<typeof Endpoints>
