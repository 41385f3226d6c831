import { field, Int32, Kind, kept, ListOf, needed, ObjectReference, type Static, Struct, Text } from 'orch/sdk'

export const EndpointAddress = Struct(
  'core.v1.EndpointAddress',
  {
    ip: needed(1, Text()),
    hostname: field(3, Text()),
    nodeName: kept(4, Text()),
    targetRef: kept(2, ObjectReference),
  },
  { mapType: 'atomic' },
)
export type EndpointAddress = Static<typeof EndpointAddress>

export const EndpointPort = Struct(
  'core.v1.EndpointPort',
  {
    name: field(1, Text()),
    port: needed(2, Int32()),
    protocol: field(3, Text(), { default: 'TCP' }),
    appProtocol: kept(4, Text()),
  },
  { mapType: 'atomic' },
)
export type EndpointPort = Static<typeof EndpointPort>

export const EndpointSubset = Struct('core.v1.EndpointSubset', {
  addresses: field(1, ListOf(EndpointAddress)),
  notReadyAddresses: field(2, ListOf(EndpointAddress)),
  ports: field(3, ListOf(EndpointPort)),
})
export type EndpointSubset = Static<typeof EndpointSubset>

export const Endpoints = Kind('core.v1.Endpoints', {
  subsets: field(2, ListOf(EndpointSubset)),
})
export type Endpoints = Static<typeof Endpoints>
