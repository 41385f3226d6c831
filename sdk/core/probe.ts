import {
  field,
  Int32,
  Int64,
  IntOrString,
  inlined,
  kept,
  ListOf,
  needed,
  type Static,
  Struct,
  Text,
} from '../schema.js'

/** A command run inside a container. */
export const ExecAction = Struct('core.v1.ExecAction', {
  command: field(1, ListOf(Text())),
})
export type ExecAction = Static<typeof ExecAction>

/** A header of a probe request. */
export const HTTPHeader = Struct('core.v1.HTTPHeader', {
  name: needed(1, Text()),
  value: needed(2, Text()),
})
export type HTTPHeader = Static<typeof HTTPHeader>

/** An HTTP GET request. */
export const HTTPGetAction = Struct('core.v1.HTTPGetAction', {
  path: field(1, Text(), { default: '/' }),
  port: needed(2, IntOrString()),
  host: field(3, Text()),
  scheme: field(4, Text(), { default: 'HTTP' }),
  httpHeaders: field(5, ListOf(HTTPHeader)),
})
export type HTTPGetAction = Static<typeof HTTPGetAction>

/** An attempt to open a TCP connection. */
export const TCPSocketAction = Struct('core.v1.TCPSocketAction', {
  port: needed(1, IntOrString()),
  host: field(2, Text()),
})
export type TCPSocketAction = Static<typeof TCPSocketAction>

/** A gRPC health check. */
export const GRPCAction = Struct('core.v1.GRPCAction', {
  port: needed(1, Int32()),
  service: kept(2, Text(), { default: '' }),
})
export type GRPCAction = Static<typeof GRPCAction>

/** What a probe does: exactly one is set. */
export const ProbeHandler = Struct('core.v1.ProbeHandler', {
  exec: kept(1, ExecAction),
  httpGet: kept(2, HTTPGetAction),
  tcpSocket: kept(3, TCPSocketAction),
  grpc: kept(4, GRPCAction),
})
export type ProbeHandler = Static<typeof ProbeHandler>

/** A repeated check of a container. */
export const Probe = Struct('core.v1.Probe', {
  ...inlined(1, ProbeHandler),
  initialDelaySeconds: field(2, Int32()),
  timeoutSeconds: field(3, Int32(), { default: 1 }),
  periodSeconds: field(4, Int32(), { default: 10 }),
  successThreshold: field(5, Int32(), { default: 1 }),
  failureThreshold: field(6, Int32(), { default: 3 }),
  terminationGracePeriodSeconds: kept(7, Int64()),
})
export type Probe = Static<typeof Probe>

/** What happens at a moment of the life of a container: exactly one is set. */
export const LifecycleHandler = Struct('core.v1.LifecycleHandler', {
  exec: kept(1, ExecAction),
  httpGet: kept(2, HTTPGetAction),
  tcpSocket: kept(3, TCPSocketAction),
})
export type LifecycleHandler = Static<typeof LifecycleHandler>

/** Actions right after the start and right before the end of a container. */
export const Lifecycle = Struct('core.v1.Lifecycle', {
  postStart: kept(1, LifecycleHandler),
  preStop: kept(2, LifecycleHandler),
})
export type Lifecycle = Static<typeof Lifecycle>
